import { useMemo } from 'react';
import type { shapes } from '@lensforge/sdk';
import { texts } from '../texts';
import { sumCosts } from './costs';

interface Props {
  nodes: readonly shapes.RunNodeItem[];
  /** More nodes are not loaded yet. */
  isPart: boolean;
}

/** The share of each node in the costs of the run; without costs there is nothing to show. */
export function NodeCosts({ nodes, isPart }: Props) {
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
