import { type AssertSettings, requireCondition } from '@lensforge/workflows';
import { type ExecuteNode, failed } from './node-type.js';

export const assert: ExecuteNode<AssertSettings> = ({ settings: { condition, message }, evaluate, resolve }) =>
  requireCondition(evaluate(condition))
    ? { kind: 'succeeded', output: true }
    : failed('ASSERTION_FAILED', toText(resolve(message)) ?? `${condition} is false`, { retry: 'final' });

function toText(message: unknown): string | undefined {
  if (message === undefined || message === null) return undefined;
  return typeof message === 'string' ? message : JSON.stringify(message);
}
