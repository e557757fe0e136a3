import { useMemo, useState } from 'react';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { Json } from '../ui/json';
import { usePaged } from '../ui/paged';
import { Rows } from '../ui/rows';
import { Loading } from '../ui/states';
import { Status } from '../ui/status';
import { duration } from '../ui/time';
import { sumCosts, getDuration } from './node-figures';

const refreshMs = 2000;

/** Nodes in the order in which they started; those that have not started are the last. */
const byStart = ({ startedAt: one }: shapes.RunNodeItem, { startedAt: other }: shapes.RunNodeItem): number =>
  (one === null ? Infinity : Date.parse(one)) - (other === null ? Infinity : Date.parse(other)) || 0;

/** The nodes of a workflow run with their costs; a chosen one with its input, output and error. */
export function RunNodes({ runId, isEnded }: { runId: string; isEnded: boolean }) {
  const client = useClient();
  const { items, isLoading, error, more, retry } = usePaged(
    ['run', runId, 'nodes', isEnded],
    (cursor) => client.runs.listNodes(runId, { limit: 100, cursor }),
    isEnded ? undefined : refreshMs,
  );
  const [chosen, setChosen] = useState<string>();
  if (isLoading) return <Loading />;
  if (error && items.length === 0) return <Fault error={error} onRetry={retry} />;
  if (items.length === 0) return null;
  const node = items.find(({ nodeKey }) => nodeKey === chosen);
  const inOrder = items.toSorted(byStart);
  return (
    <section className="panel">
      <h2>{texts.runs.nodes.title}</h2>
      <Costs nodes={items} isPart={more !== undefined} />
      <Rows
        items={inOrder}
        label={texts.runs.nodes.title}
        rowHeight={34}
        onEnd={more}
        row={({ nodeKey, type, status, costCredits, tokensUsed, startedAt, completedAt }, style) => {
          const took = getDuration({ startedAt, completedAt });
          return (
            <button
              type="button"
              className="rows-item node-row"
              key={nodeKey}
              style={style}
              aria-expanded={nodeKey === chosen}
              onClick={() => setChosen(nodeKey === chosen ? undefined : nodeKey)}
            >
              <span>
                <Status value={status} />
              </span>
              <span>
                {nodeKey} <span className="quiet">{type}</span>
              </span>
              <span className="number">{took === undefined ? '–' : duration(took)}</span>
              <span className="number">
                {tokensUsed > 0 ? `${tokensUsed.toLocaleString('en')} ${texts.runs.nodes.tokens}` : ''}
              </span>
              <span className="number">
                {costCredits > 0 ? `${costCredits.toLocaleString('en')} ${texts.runs.nodes.credits}` : ''}
              </span>
            </button>
          );
        }}
      />
      {node ? <Chosen node={node} /> : <p className="quiet">{texts.runs.nodes.choose}</p>}
    </section>
  );
}

const Chosen = ({ node: { nodeKey, input, output, error } }: { node: shapes.RunNodeItem }) => (
  <div role="region" aria-label={nodeKey}>
    <h3>{nodeKey}</h3>
    {error && (
      <p className="notice bad">
        <strong>{error.code}</strong> {error.message}
      </p>
    )}
    <div className="columns">
      <div>
        <h4>{texts.runs.nodes.input}</h4>
        <Json value={input} label={`${nodeKey} ${texts.runs.nodes.input}`} />
      </div>
      <div>
        <h4>{texts.runs.nodes.output}</h4>
        <Json value={output} label={`${nodeKey} ${texts.runs.nodes.output}`} />
      </div>
    </div>
  </div>
);

interface CostsProps {
  nodes: readonly shapes.RunNodeItem[];
  /** More nodes are not loaded yet. */
  isPart: boolean;
}

/** The share of each node in the costs of the run; without costs there is nothing to show. */
function Costs({ nodes, isPart }: CostsProps) {
  const costs = useMemo(() => sumCosts(nodes).filter(({ credits, tokens }) => credits > 0 || tokens > 0), [nodes]);
  const [dearest] = costs;
  if (!dearest) return null;
  const highest = Math.max(1, dearest.credits);
  return (
    <>
      <h3>{texts.runs.nodes.costs}</h3>
      <div className="scroll" tabIndex={0} role="region" aria-label={texts.runs.nodes.costs}>
        <table className="table costs">
          <thead>
            <tr>
              <th scope="col">{texts.runs.nodes.node}</th>
              <th scope="col" className="number">
                {texts.runs.tokens}
              </th>
              <th scope="col" className="number">
                {texts.runs.cost}
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {costs.slice(0, 20).map(({ nodeId, type, count, tokens, credits }) => (
              <tr key={nodeId}>
                <th scope="row">
                  {nodeId} <span className="quiet">{count > 1 ? `${type} × ${count}` : type}</span>
                </th>
                <td className="number">{tokens.toLocaleString('en')}</td>
                <td className="number">{credits.toLocaleString('en')}</td>
                <td className="cost-bar">
                  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(credits / highest) * 100} height="10" />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isPart && <p className="quiet">{texts.runs.nodes.part}</p>}
    </>
  );
}
