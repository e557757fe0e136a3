import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { memo, useEffect, useState } from 'react';
import { RunCharts } from '../runs/run-charts';
import { useRunInput } from '../runs/run-input';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { workflowsTexts } from '../view-texts/workflows';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { formatJson } from '../ui/format-json';
import { Page } from '../ui/page';
import { saveFile } from '../ui/save-file';
import { Loaded } from '../ui/states';
import { Forecast } from './forecast';
import { toGraph } from './graph';
import { GraphCanvas } from './graph-canvas';
import { GraphEditor } from './graph-editor';
import { parseJson } from './json-text';
import { Labels, ReturnedLabels } from '../labels/labels';
import { EvaluationRules } from '../evaluation/evaluation-rules';
import { ScoreCharts } from '../evaluation/score-charts';
import { ReleaseTable } from '../labels/release-table';
import { Schedules } from './schedules';
import { type GraphDraft, useGraphDraft } from './use-graph-draft';
import { Versions } from './versions';
import { TextField } from '../ui/field';

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
      above={<Link to="/workflows">{workflowsTexts.title}</Link>}
      actions={
        <>
          <Link className="button" to="/runs" search={{ workflowId }}>
            {workflowsTexts.runsOf}
          </Link>
          <Action onAct={async () => download(await client.workflows.export(workflowId))}>
            {workflowsTexts.export}
          </Action>
        </>
      }
    >
      <Loaded query={workflow}>
        {(found) => <Workflow key={found.id} workflow={found} isOwn={found.author.id === me.account?.id} />}
      </Loaded>
    </Page>
  );
}

interface Props {
  workflow: shapes.WorkflowRecord;
  isOwn: boolean;
}

function Workflow({ workflow, isOwn }: Props) {
  const { run } = route.useSearch();
  const [inputs, setInputs] = useState(() => buildExample(workflow.headVersion.graph));
  const begun = useRunInput(run).data?.params;
  useEffect(() => {
    if (begun) setInputs(formatJson(begun));
  }, [begun]);
  const draft = useGraphDraft(workflow, inputs);
  return (
    <>
      {workflow.description && <p>{workflow.description}</p>}
      {isOwn && <ReturnedLabels labels={workflow.labels} />}
      {isOwn ? (
        <GraphEditor workflowId={workflow.id} draft={draft} inputs={inputs} />
      ) : (
        <GraphCanvas graph={toGraph(workflow.headVersion.graph)} />
      )}
      <div className="columns">
        <section className="panel">
          <Start workflowId={workflow.id} draft={draft} inputs={inputs} onInputs={setInputs} />
        </section>
        {isOwn && (
          <section className="panel">
            <Schedules workflow={workflow} />
          </section>
        )}
      </div>
      <Saved workflow={workflow} isOwn={isOwn} />
    </>
  );
}

/** The parts that do not depend on the edited graph, which would cost time with each of its keys. */
const Saved = memo(({ workflow, isOwn }: Props) => (
  <>
    <div className="columns">
      <section className="panel">
        <Versions workflowId={workflow.id} headId={workflow.headVersion.id} />
      </section>
      <section className="panel">
        <Labels kind="workflow" of={workflow} isMine={isOwn} />
      </section>
    </div>
    <section className="panel">
      <ReleaseTable target={{ workflowId: workflow.id }} />
      <ScoreCharts target={{ workflowId: workflow.id }} />
      <EvaluationRules target={{ workflowId: workflow.id }} />
    </section>
    <RunCharts filters={{ workflowId: workflow.id }} />
  </>
));

/** Saves an export as a file. */
const download = (file: shapes.WorkflowFile): void =>
  saveFile(
    new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }),
    `${file.title.replace(/[^\p{L}\p{N}]+/gu, '-')}.workflow.json`,
  );

/** The inputs that a schema requires, empty, as a beginning. */
function buildExample(graph: unknown): string {
  const { inputs } = toGraph(graph);
  const { properties = {} } = (inputs ?? {}) as { properties?: Record<string, { type?: string; default?: unknown }> };
  const empty: Readonly<Record<string, unknown>> = { array: [], object: {}, number: 0, integer: 0, boolean: false };
  const entries = Object.entries(properties).map(([name, { type = 'string', default: value }]) => [
    name,
    value ?? empty[type] ?? '',
  ]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

interface StartProps {
  workflowId: string;
  draft: GraphDraft;
  inputs: string;
  onInputs: (inputs: string) => void;
}

/** Runs the graph as it stands; a changed one stays unsaved. */
function Start({ workflowId, draft, inputs, onInputs }: StartProps) {
  const { client } = useConsole();
  const navigate = useNavigate();
  const run = async (values: FormData): Promise<void> => {
    const given = parseJson(readField(values, 'inputs')) as Record<string, unknown>;
    // The version that is shown, whatever the default label says.
    const version = await draft.toVersion();
    const { runId } = await client.workflows.run(workflowId, { version, inputs: given });
    await navigate({ to: '/runs/$runId', params: { runId } });
  };
  return (
    <>
      <h2>{workflowsTexts.run}</h2>
      <div className="form">
        <Form onSend={run} action={draft.isChanged ? workflowsTexts.runUnsaved : workflowsTexts.run}>
          <TextField
            label={workflowsTexts.inputs}
            className="code"
            name="inputs"
            rows={5}
            spellCheck={false}
            value={inputs}
            onChange={(event) => onInputs(event.currentTarget.value)}
          />
        </Form>
        <div className="row">
          <Action onAct={async () => draft.check.mutateAsync({ graph: draft.root })}>{workflowsTexts.check}</Action>
        </div>
      </div>
      {draft.check.isSuccess && <Forecast estimate={draft.check.data} />}
    </>
  );
}
