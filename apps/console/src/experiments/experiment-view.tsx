import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { experimentsTexts } from '../view-texts/experiments';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { duration } from '../ui/time';
import { Cells } from './cells';
import { describeRule, interval, percent, points } from './numbers';
import { sayDifference } from './say-difference';
import { ScoreHistory } from './score-history';
import { DataTable } from '../ui/data-table';
import { saveFile } from '../ui/save-file';
import { announce } from '../ui/announce';
import { texts } from '../texts';

const route = getRouteApi('/experiments/$experimentId');
const refreshMs = 1500;
const formats = ['csv', 'junit'] as const;

/** An experiment: its progress, results and gate, and its answers case by case. */
export default function ExperimentView() {
  const { experimentId } = route.useParams();
  const client = useClient();
  const experiment = useQuery({
    queryKey: ['experiment', experimentId],
    queryFn: async () => client.experiments.get(experimentId),
    refetchInterval: ({ state }) => (state.data?.completedAt === null ? refreshMs : false),
  });
  const { data } = experiment;
  return (
    <Page
      title={data?.name ?? experimentsTexts.title}
      above={<Link to="/experiments">{experimentsTexts.title}</Link>}
      actions={data && <Actions experiment={data} onChanged={() => void experiment.refetch()} />}
    >
      <Loaded query={experiment}>
        {(found) => (
          <>
            <Facts experiment={found} />
            {found.outcome && <Gate outcome={found.outcome} />}
            <Results experiment={found} />
            <Cells experiment={found} />
            <ScoreHistory target={toTarget(found)} datasetId={found.datasetId} endedAt={found.completedAt} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Props {
  experiment: shapes.Experiment;
}

const toTarget = ({ lensId, workflowId }: shapes.Experiment) =>
  lensId === null ? { workflowId: workflowId ?? '' } : { lensId };

function Actions({
  experiment: { id, name, status, completedAt, cells, credits },
  onChanged,
}: Props & { onChanged: () => void }) {
  const client = useClient();
  const navigate = useNavigate();
  if (completedAt === null) {
    return (
      <ConfirmedAction
        question={experimentsTexts.cancelQuestion}
        onAct={async () => {
          await client.experiments.cancel(id);
          onChanged();
        }}
      >
        {experimentsTexts.cancel}
      </ConfirmedAction>
    );
  }
  const exportAs = async (format: (typeof formats)[number]): Promise<void> => {
    const file = await client.experiments.export(id, { format });
    saveFile(await file.blob(), `${name}.${format}`);
  };
  const repeat = async (): Promise<void> => {
    const { id: experimentId } = await client.experiments.clone(id, { answers: 'new' });
    await navigate({ to: '/experiments/$experimentId', params: { experimentId } });
  };
  return (
    <>
      {formats.map((format) => (
        <Action key={format} onAct={() => exportAs(format)}>
          {experimentsTexts.exportAs(format)}
        </Action>
      ))}
      <ConfirmedAction question={experimentsTexts.repeatQuestion(cells, credits)} onAct={repeat}>
        {experimentsTexts.repeat}
      </ConfirmedAction>
      {status === 'incomplete' && (
        <Form
          action={experimentsTexts.resume}
          onSend={async (fields) => {
            const budget = readField(fields, 'budget');
            await client.experiments.resume(id, budget === '' ? {} : { budget: Number(budget) });
            onChanged();
          }}
        >
          <input
            name="budget"
            inputMode="numeric"
            pattern="[0-9]*"
            aria-label={experimentsTexts.budget}
            placeholder={experimentsTexts.budget}
          />
        </Form>
      )}
      <ConfirmedAction
        question={experimentsTexts.removeQuestion}
        onAct={async () => {
          await client.experiments.remove(id);
          announce(texts.removed(name));
          await navigate({ to: '/experiments' });
        }}
      >
        {experimentsTexts.remove}
      </ConfirmedAction>
    </>
  );
}

function Facts({ experiment }: Props) {
  const { status, reason, cells, cellsDone, credits, budget, batches, arms, baseline, lensId, datasetId, revision } =
    experiment;
  return (
    <section className="panel">
      <p>
        <Status value={status} /> {experimentsTexts.answers(cellsDone, cells)} ·{' '}
        {experimentsTexts.credits(credits, budget)}
        {batches && ` · ${experimentsTexts.batches(batches)}`}
        {reason !== null && ` · ${reason}`}
      </p>
      {experiment.completedAt === null && (
        <progress max={cells} value={cellsDone} aria-label={experimentsTexts.results} />
      )}
      <ul>
        {arms.map(({ name, version, isCandidate, modelOverride }) => (
          <li key={name}>
            <strong>{name}</strong>{' '}
            {lensId === null ? (
              version
            ) : (
              <Link to="/lenses/$lensId" params={{ lensId }}>
                {version}
              </Link>
            )}
            {isCandidate && ` · ${experimentsTexts.candidate}`}
            {modelOverride !== null && ` · ${modelOverride}`}
            {name === baseline && ` · ${experimentsTexts.baseline}`}
          </li>
        ))}
      </ul>
      <p className="quiet">
        <Link to="/datasets/$datasetId" params={{ datasetId }}>
          {experimentsTexts.dataset}
        </Link>
        , {experimentsTexts.revision(revision)}
      </p>
    </section>
  );
}

const Gate = ({ outcome }: { outcome: shapes.GateOutcome }) => (
  <section className="panel scroll">
    <h2>
      {experimentsTexts.gate} <Status value={outcome.result} />
    </h2>
    <DataTable
      items={outcome.rules}
      getKey={({ arm, rule }) => `${arm} ${JSON.stringify(rule)}`}
      columns={[
        { name: experimentsTexts.gateColumns.result, show: ({ result }) => <Status value={result} /> },
        { name: experimentsTexts.gateColumns.rule, show: ({ arm, rule }) => `${arm}: ${describeRule(rule)}` },
        { name: experimentsTexts.gateColumns.reason, show: ({ reason }) => reason },
      ]}
    />
  </section>
);

function Results({ experiment: { results } }: Props) {
  const rows = (results ?? []).flatMap((arm) => arm.scorers.map((scorer) => ({ arm, scorer })));
  return (
    <section className="panel scroll" tabIndex={0} aria-label={experimentsTexts.results}>
      <h2>{experimentsTexts.results}</h2>
      {results === null ? (
        <p className="quiet">{experimentsTexts.notYet}</p>
      ) : (
        <DataTable
          className="table"
          items={rows}
          getKey={({ arm, scorer }) => `${arm.arm} ${scorer.scorer}`}
          columns={[
            { name: experimentsTexts.arm, sortBy: ({ arm }) => arm.arm, show: ({ arm }) => arm.arm },
            {
              name: experimentsTexts.scorer,
              sortBy: ({ scorer }) => scorer.scorer,
              show: ({ scorer }) => scorer.scorer,
            },
            {
              name: experimentsTexts.score,
              sortBy: ({ scorer }) => scorer.score.mean,
              show: ({ scorer }) => interval(scorer.score),
            },
            {
              name: experimentsTexts.passed,
              isNumber: true,
              sortBy: ({ scorer }) => scorer.passRate,
              show: ({ scorer }) => percent(scorer.passRate),
            },
            {
              name: experimentsTexts.difference,
              sortBy: ({ scorer }) => scorer.difference?.mean ?? null,
              show: ({ scorer: { difference } }) =>
                difference && (
                  <>
                    {points(difference)}
                    <div className="quiet">
                      {experimentsTexts.better(difference.better, difference.worse)}. {sayDifference(difference)}
                    </div>
                  </>
                ),
            },
            {
              name: experimentsTexts.failed,
              isNumber: true,
              sortBy: ({ arm }) => arm.failed,
              show: ({ arm }) => arm.failed,
            },
            {
              name: experimentsTexts.cost,
              isNumber: true,
              sortBy: ({ arm }) => arm.credits,
              show: ({ arm }) => arm.credits,
            },
            {
              name: experimentsTexts.latency,
              isNumber: true,
              sortBy: ({ arm }) => arm.latencyP50Ms,
              show: ({ arm }) =>
                arm.latencyP50Ms === null ? '–' : `${duration(arm.latencyP50Ms)} / ${duration(arm.latencyP95Ms ?? 0)}`,
            },
          ]}
        />
      )}
    </section>
  );
}
