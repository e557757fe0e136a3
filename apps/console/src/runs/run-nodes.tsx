import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Fault } from '../ui/fault';
import { Json } from '../ui/json';
import { usePaged } from '../ui/paged';
import { Rows } from '../ui/rows';
import { Loaded, Loading } from '../ui/states';
import { Status } from '../ui/status';
import { duration } from '../ui/time';
import { RetryFrom } from './retry-from';
import { computeBounds, getDepth, getDuration, placeNode, sumCosts } from './node-figures';

const refreshMs = 1000;

/** Nodes in the order in which they started; those that have not started are the last. */
const byStart = ({ startedAt: one }: shapes.RunNodeItem, { startedAt: other }: shapes.RunNodeItem): number =>
  (one === null ? Infinity : Date.parse(one)) - (other === null ? Infinity : Date.parse(other)) || 0;

interface Props {
  run: shapes.PlatformRunStatus;
  chosen: string | undefined;
  onChoose: (nodeKey: string | undefined) => void;
}

/** The nodes of a workflow run over its time, with their costs, and the chosen one with its input, output and error. */
export function RunNodes({ run, chosen, onChoose }: Props) {
  const client = useClient();
  const { id: runId, completedAt } = run;
  const isEnded = completedAt !== null;
  const { items, isLoading, error, more, retry } = usePaged(
    ['run', runId, 'nodes', isEnded],
    (cursor) => client.runs.listNodes(runId, { limit: 100, cursor }),
    isEnded ? undefined : refreshMs,
  );
  if (isLoading) return <Loading />;
  if (error && items.length === 0) return <Fault error={error} onRetry={retry} />;
  if (items.length === 0) return null;
  const inOrder = items.toSorted(byStart);
  const bounds = computeBounds(items, Date.now());
  return (
    <section className="panel">
      <h2>{texts.runs.nodes.title}</h2>
      <div className="tree-and-detail">
        <Rows
          items={inOrder}
          label={texts.runs.nodes.title}
          rowHeight={34}
          onEnd={more}
          row={(node, style) => (
            <NodeRow
              key={node.nodeKey}
              node={node}
              style={style}
              place={placeNode(node, bounds)}
              isChosen={node.nodeKey === chosen}
              onChoose={() => onChoose(node.nodeKey === chosen ? undefined : node.nodeKey)}
            />
          )}
        />
        <div aria-live="polite">
          {chosen === undefined ? (
            <p className="quiet">{texts.runs.nodes.choose}</p>
          ) : (
            <>
              <Chosen
                key={chosen}
                runId={runId}
                nodeKey={chosen}
                known={items.find(({ nodeKey }) => nodeKey === chosen)}
              />
              {run.workflowId !== null && isEnded && run.status !== 'succeeded' && getDepth(chosen) === 0 && (
                <RetryFrom run={run} workflowId={run.workflowId} nodeId={chosen} />
              )}
            </>
          )}
        </div>
      </div>
      <Costs nodes={items} isPart={more !== undefined} />
    </section>
  );
}

interface RowProps {
  node: shapes.RunNodeItem;
  style: object;
  place: { x: number; width: number } | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

function NodeRow({ node, style, place, isChosen, onChoose }: RowProps) {
  const { nodeKey, type, status, costCredits, tokensUsed } = node;
  const took = getDuration(node);
  const isBad = status === 'failed' || status === 'timed_out';
  return (
    <button type="button" className="rows-item node-row" style={style} aria-expanded={isChosen} onClick={onChoose}>
      <span>
        <Status value={status} />
      </span>
      <span className={`depth-${getDepth(nodeKey)}`} title={nodeKey}>
        {nodeKey} <span className="quiet">{type}</span>
      </span>
      <svg className="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {place && <rect className={isBad ? 'bad' : ''} {...place} height="10" />}
      </svg>
      <span className="number">{took === undefined ? '–' : duration(took)}</span>
      <span className="number">
        {tokensUsed > 0 && `${tokensUsed.toLocaleString('en')} ${texts.runs.nodes.tokens}`}
        {costCredits > 0 && ` ${costCredits.toLocaleString('en')} ${texts.runs.nodes.credits}`}
      </span>
    </button>
  );
}

interface ChosenProps {
  runId: string;
  nodeKey: string;
  /** The node, if it is among those that are loaded. */
  known: shapes.RunNodeItem | undefined;
}

function Chosen({ runId, nodeKey, known }: ChosenProps) {
  const client = useClient();
  const searched = useQuery({
    queryKey: ['run', runId, 'node', nodeKey],
    queryFn: async () => {
      for await (const node of client.runs.listNodes(runId, { limit: 100 })) if (node.nodeKey === nodeKey) return node;
      return null;
    },
    enabled: known === undefined,
  });
  if (known) return <NodeDetail node={known} />;
  return (
    <Loaded query={searched}>
      {(node) => (node ? <NodeDetail node={node} /> : <p className="quiet">{texts.runs.notReached}</p>)}
    </Loaded>
  );
}

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
