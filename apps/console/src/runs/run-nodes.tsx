import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Json } from '../ui/json';
import { Status } from '../ui/status';

/** Inputs, outputs and errors of the nodes of a workflow run. */
export function RunNodes({ runId, version }: { runId: string; version: number }) {
  const client = useClient();
  const { data: nodes = [] } = useQuery({
    queryKey: ['run', runId, 'nodes', version],
    queryFn: async () => (await client.runs.listNodes(runId, { limit: 100 })).items,
    placeholderData: keepPreviousData,
  });
  if (nodes.length === 0) return null;
  return (
    <section className="panel">
      {nodes.map(({ nodeKey, type, status, input, output, error, costCredits }) => (
        <details key={nodeKey}>
          <summary>
            {nodeKey} <span className="quiet">{type}</span> <Status value={status} />{' '}
            {costCredits > 0 && `${costCredits} ${texts.runs.cost}`}
          </summary>
          {error && (
            <p className="notice bad">
              <strong>{error.code}</strong> {error.message}
            </p>
          )}
          <h3>{texts.runs.nodes.input}</h3>
          <Json value={input} label={texts.runs.nodes.input} />
          <h3>{texts.runs.nodes.output}</h3>
          <Json value={output} label={texts.runs.nodes.output} />
        </details>
      ))}
    </section>
  );
}
