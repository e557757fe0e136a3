import type { TransformSettings } from '@lensforge/workflows';
import type { ExecuteNode } from './node-type.js';

export const transform: ExecuteNode<TransformSettings> = ({ settings, evaluate }) => ({
  kind: 'succeeded',
  output: evaluate(settings.expression),
});
