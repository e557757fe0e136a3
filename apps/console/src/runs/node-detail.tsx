import type { shapes } from '@lensforge/sdk';
import { texts } from '../texts';
import { Json } from '../ui/json';
import { Status } from '../ui/status';

/** The status, error, input and output of a node. */
export const NodeDetail = ({ node: { nodeKey, status, input, output, error } }: { node: shapes.RunNodeItem }) => (
  <div role="region" aria-label={nodeKey}>
    <h3>
      {nodeKey} <Status value={status} />
    </h3>
    {error && (
      <p className="notice bad">
        <strong>{error.code}</strong> {error.message}
      </p>
    )}
    <h4>{texts.runs.nodes.output}</h4>
    <Json value={output} label={`${nodeKey} ${texts.runs.nodes.output}`} />
    <h4>{texts.runs.nodes.input}</h4>
    <Json value={input} label={`${nodeKey} ${texts.runs.nodes.input}`} />
  </div>
);
