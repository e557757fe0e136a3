import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { RunCharts } from '../runs/run-charts';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Form, fieldOf } from '../ui/form';
import { Page } from '../ui/page';
import { Loaded } from '../ui/states';
import { Time } from '../ui/time';
import { graphOf } from './graph';
import { GraphCanvas } from './graph-canvas';
import { GraphEditor } from './graph-editor';
import { parseJson } from './json-text';
import { Schedules } from './schedules';

const route = getRouteApi('/workflows/$workflowId');

/** A workflow: its graph, its versions and schedules, and a form that runs it. */
export default function WorkflowView() {
  const { workflowId } = route.useParams();
  const { client, me } = useConsole();
  const workflow = useQuery({
    queryKey: ['workflow', workflowId],
    queryFn: async () => client.workflows.get(workflowId),
    // An editor keeps its graph; it compares versions when it saves.
    refetchOnWindowFocus: false,
  });
  return (
    <Page
      title={workflow.data?.title ?? texts.runs.workflow}
      above={<Link to="/workflows">{texts.workflows.title}</Link>}
      actions={
        <Link className="button" to="/runs" search={{ workflowId }}>
          {texts.workflows.runsOf}
        </Link>
      }
    >
      <Loaded query={workflow}>
        {(found) => (
          <>
            {found.description && <p>{found.description}</p>}
            {found.author.id === me.account?.id ? (
              <GraphEditor key={found.id} workflow={found} />
            ) : (
              <GraphCanvas graph={graphOf(found.headVersion.graph)} />
            )}
            <div className="columns">
              <section className="panel">
                <Start workflow={found} />
              </section>
              <section className="panel">
                <Versions workflowId={found.id} headId={found.headVersion.id} />
                {found.author.id === me.account?.id && <Schedules workflow={found} />}
              </section>
            </div>
            <RunCharts filters={{ workflowId: found.id }} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The inputs that a schema requires, empty, as a beginning. */
function exampleOf(graph: unknown): string {
  const { inputs } = graphOf(graph);
  const { properties = {} } = (inputs ?? {}) as { properties?: Record<string, { type?: string; default?: unknown }> };
  const empty: Readonly<Record<string, unknown>> = { array: [], object: {}, number: 0, integer: 0, boolean: false };
  const entries = Object.entries(properties).map(([name, { type = 'string', default: value }]) => [
    name,
    value ?? empty[type] ?? '',
  ]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

function Start({ workflow }: { workflow: shapes.WorkflowRecord }) {
  const { client } = useConsole();
  const navigate = useNavigate();
  const [inputs, setInputs] = useState(() => exampleOf(workflow.headVersion.graph));
  const [estimate, setEstimate] = useState<shapes.WorkflowDryRunReply>();
  const check = async (): Promise<void> =>
    setEstimate(await client.workflows.dryRun(workflow.id, { inputs: parseJson(inputs) as Record<string, unknown> }));
  const run = async (values: FormData): Promise<void> => {
    const given = parseJson(fieldOf(values, 'inputs')) as Record<string, unknown>;
    const { runId } = await client.workflows.run(workflow.id, { inputs: given });
    await navigate({ to: '/runs/$runId', params: { runId } });
  };
  return (
    <>
      <h2>{texts.workflows.run}</h2>
      <Form onSend={run} action={texts.workflows.run}>
        <label>
          {texts.workflows.inputs}
          <textarea
            className="code"
            name="inputs"
            rows={5}
            spellCheck={false}
            value={inputs}
            onChange={(event) => setInputs(event.currentTarget.value)}
          />
        </label>
      </Form>
      <div className="row">
        <Action onAct={check}>{texts.workflows.check}</Action>
      </div>
      {estimate && (
        <p role="status">
          {texts.workflows.estimate}: <strong>{estimate.estimatedCredits}</strong>. {texts.workflows.order}:{' '}
          {estimate.levels.map((level) => level.join(', ')).join(' → ')}
        </p>
      )}
    </>
  );
}

function Versions({ workflowId, headId }: { workflowId: string; headId: string }) {
  const { client } = useConsole();
  const versions = useQuery({
    queryKey: ['workflow', workflowId, 'versions', headId],
    queryFn: async () => (await client.workflows.listVersions(workflowId, { limit: 20 })).items,
  });
  return (
    <>
      <h2>{texts.workflows.versions}</h2>
      <Loaded query={versions}>
        {(items) => (
          <table className="table">
            <tbody>
              {items.map(({ id, number, nodeCount, changelog, createdAt }) => (
                <tr key={id}>
                  <th scope="row">{number}</th>
                  <td>
                    {nodeCount} {texts.workflows.nodeCount} {changelog}
                  </td>
                  <td>
                    <Time at={createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </>
  );
}
