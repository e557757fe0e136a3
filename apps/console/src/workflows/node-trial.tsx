import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Client, shapes } from '@lensforge/sdk';
import { use, useEffect, useRef, useState } from 'react';
import { NodeDetail } from '../runs/node-detail';
import { useClient } from '../session/console';
import { workflowsTexts } from '../view-texts/workflows';
import { useDraft } from '../ui/drafts';
import { Form } from '../ui/form';
import { formatJson } from '../ui/format-json';
import { Loaded } from '../ui/states';
import { type ExpressionScope, ExpressionScopeContext, trialTag } from './expression-scope';
import { nodesBefore } from './graph';
import { parseJson } from './json-text';
import { addGiven, graphOfNode, lastResults } from './try-graph';

const refreshMs = 500;

/** Runs a node alone, as it stands, with results of the nodes before it that can be changed. Nothing is saved. */
export function NodeTrial({ id }: { id: string }) {
  const scope = use(ExpressionScopeContext);
  return (
    scope && (
      <details>
        <summary>{workflowsTexts.trial.title}</summary>
        <Trial key={id} id={id} scope={scope} />
      </details>
    )
  );
}

interface Texts {
  results: string;
  item: string;
}

const isTexts = ({ results, item }: Partial<Texts>): boolean => typeof results === 'string' && typeof item === 'string';

function Trial({ id, scope }: { id: string; scope: ExpressionScope }) {
  const { workflowId, graph, isInMap, inputs, outputs } = scope;
  const client = useClient();
  const [runId, setRunId] = useState<string>();
  const [changed, change] = useDraft<Texts>(`results.${workflowId}.${id}`, isTexts);
  const last: Texts = { results: formatJson(lastResults(graph, id, outputs)), item: '{}' };
  const given = changed ?? last;
  const hasBefore = nodesBefore(graph, id).size > 0;
  const run = async (): Promise<void> => {
    const nodes = parseJson(given.results) as Record<string, unknown>;
    const results = { nodes, ...(isInMap && { item: parseJson(given.item) }) };
    const tried = await client.workflows.saveCandidate(workflowId, { graph: graphOfNode(graph, { id, isInMap }) });
    const accepted = await client.workflows.run(workflowId, {
      version: tried.id,
      inputs: addGiven(parseJson(inputs) as object, results),
      tags: [trialTag],
    });
    setRunId(accepted.runId);
  };
  return (
    <>
      <Form onSend={run} action={workflowsTexts.trial.run}>
        {hasBefore && (
          <GivenField
            label={workflowsTexts.trial.results}
            rows={6}
            value={given.results}
            onChange={(results) => change({ ...given, results })}
          />
        )}
        {isInMap && (
          <GivenField
            label={workflowsTexts.trial.item}
            rows={2}
            value={given.item}
            onChange={(item) => change({ ...given, item })}
          />
        )}
      </Form>
      {changed !== undefined && (
        <button type="button" onClick={() => change(undefined)}>
          {workflowsTexts.trial.reset}
        </button>
      )}
      {runId !== undefined && <Outcome key={runId} runId={runId} id={id} />}
    </>
  );
}

interface FieldProps {
  label: string;
  rows: number;
  value: string;
  onChange: (value: string) => void;
}

const GivenField = ({ label, rows, value, onChange }: FieldProps) => (
  <label>
    {label}
    <textarea
      className="code"
      rows={rows}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  </label>
);

interface Tried {
  run: shapes.PlatformRunStatus;
  node: shapes.RunNodeItem | undefined;
}

const ended = ['succeeded', 'failed', 'canceled', 'timed_out'];

const readTried = async (client: Client, runId: string, id: string): Promise<Tried> => {
  const run = await client.runs.get(runId);
  const { items } = await client.runs.listNodes(runId, { limit: 100 });
  return { run, node: items.find(({ nodeKey }) => nodeKey === id || nodeKey.endsWith(`.${id}`)) };
};

function Outcome({ runId, id }: { runId: string; id: string }) {
  const client = useClient();
  const tried = useQuery({
    queryKey: ['run', runId, 'tried', id],
    queryFn: async () => readTried(client, runId, id),
    refetchInterval: ({ state }) => (state.data && ended.includes(state.data.run.status) ? false : refreshMs),
  });
  const panel = useRef<HTMLDivElement>(null);
  const status = tried.data?.node?.status;
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [status]);
  return (
    <div aria-live="polite" ref={panel}>
      <Loaded query={tried}>
        {({ run, node }) => (
          <>
            {node && <NodeDetail node={node} />}
            {!node && ended.includes(run.status) && <p className="notice bad">{run.errorMessage ?? run.status}</p>}
            <p>
              <Link to="/runs/$runId" params={{ runId }}>
                {workflowsTexts.trial.open}
              </Link>
            </p>
          </>
        )}
      </Loaded>
    </div>
  );
}
