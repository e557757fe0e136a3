import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import type { RunEvent, shapes } from '@lensforge/sdk';
import { useEffect, useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { Action } from '../ui/action';
import { Copy } from '../ui/copy';
import { Fault } from '../ui/fault';
import { formatJson } from '../ui/format-json';
import { Json } from '../ui/json';
import { Page } from '../ui/page';
import { Rows } from '../ui/rows';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time, duration } from '../ui/time';
import { AddToDataset } from './add-to-dataset';
import { AddToReview } from './add-to-review';
import { AnswerText } from './answer-text';
import { Approvals } from './approvals';
import { ClockTime } from './clock-time';
import { buildCopies } from './copy-as';
import { findPrimaryOutput } from './primary-output';
import { RelatedRuns } from './related-runs';
import { RunAgain } from './run-again';
import { RunDeliveries } from './run-deliveries';
import { RunGraph } from './run-graph';
import { RunInputPanel, useRunInput } from './run-input';
import { RunLog } from './run-log';
import { RunScores } from './run-scores';
import { RunTree } from './run-tree';
import { costText, tokenText } from './token-text';
import { measureFirstText } from './timeline';
import { ToolCalls } from './tool-calls';
import { type LiveTimeline, useTimeline } from './use-timeline';

const route = getRouteApi('/runs/$runId');

/** A run: its live output, events and nodes, and what can be done with it. */
export default function RunView() {
  const { runId } = route.useParams();
  const { client } = useConsole();
  const timeline = useTimeline(runId);
  const run = useQuery({ queryKey: ['run', runId], queryFn: async () => client.runs.get(runId) });
  const changes = timeline.changes.run;
  const { refetch } = run;
  const title = useTargetTitle(run.data);
  useEffect(() => {
    if (changes > 0) void refetch();
  }, [changes, refetch]);
  return (
    <Page
      title={`${title ?? texts.runs.run} ${runId.slice(-12)}`}
      above={<Link to="/runs">{texts.runs.title}</Link>}
      actions={run.data && <RunActions run={run.data} />}
    >
      <Loaded query={run}>{(found) => <Details run={found} timeline={timeline} />}</Loaded>
    </Page>
  );
}

/** The title of the lens or workflow of a run, while the person may read it. */
function useTargetTitle({ lensId = null, workflowId = null }: Partial<shapes.PlatformRunStatus> = {}):
  | string
  | undefined {
  const { client } = useConsole();
  const lens = useQuery({
    queryKey: ['lens', lensId],
    queryFn: async () => client.lenses.get(lensId ?? ''),
    enabled: lensId !== null,
  });
  const workflow = useQuery({
    queryKey: ['workflow', workflowId],
    queryFn: async () => client.workflows.get(workflowId ?? ''),
    enabled: workflowId !== null && lensId === null,
  });
  return (lens.data ?? workflow.data)?.title;
}

function RunActions({ run }: { run: shapes.PlatformRunStatus }) {
  const { id, status, kind, lensId, workflowId } = run;
  const { client, settings } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const isOpen = status === 'queued' || status === 'running';
  const retry = async (from: 'start' | 'failed_nodes'): Promise<void> => {
    const { runId } = await client.runs.retry(id, { from });
    await navigate({ to: '/runs/$runId', params: { runId } });
  };
  const cancel = async (): Promise<void> => {
    await client.runs.cancel(id);
    await queries.invalidateQueries({ queryKey: ['run', id] });
  };
  return (
    <>
      {kind === 'lens' && lensId !== null && (
        <Link className="button" to="/lenses/$lensId" params={{ lensId }} search={{ run: id }}>
          {texts.runs.editAndRun}
        </Link>
      )}
      {kind === 'workflow' && workflowId !== null && (
        <Link className="button" to="/workflows/$workflowId" params={{ workflowId }} search={{ run: id }}>
          {texts.runs.editAndRun}
        </Link>
      )}
      {status === 'succeeded' && (kind === 'lens' || kind === 'workflow') && <RunAgain run={run} />}
      {!isOpen && (kind === 'lens' || kind === 'workflow') && (
        <>
          <AddToDataset runIds={[id]} />
          <AddToReview runIds={[id]} />
        </>
      )}
      <Copy text={location.href} name={runsTexts.copyLink} />
      {Object.entries(buildCopies(settings.api, id)).map(([name, text]) => (
        <Copy key={name} text={text} name={`${texts.runs.copyAs} ${name}`} />
      ))}
      {isOpen && (
        <Action className="danger" onAct={cancel}>
          {texts.runs.cancel}
        </Action>
      )}
      {!isOpen && status !== 'succeeded' && <Action onAct={() => retry('start')}>{texts.runs.retry}</Action>}
      {!isOpen && status !== 'succeeded' && kind === 'workflow' && (
        <Action onAct={() => retry('failed_nodes')}>{texts.runs.retryFailed}</Action>
      )}
    </>
  );
}

function Details({ run, timeline }: { run: shapes.PlatformRunStatus; timeline: LiveTimeline }) {
  const output = findPrimaryOutput(run) ?? timeline.output;
  /** An item of the timeline: null for none, undefined before the person has chosen. */
  const [chosen, setChosen] = useState<string | null>();
  const others = run.artifacts.filter(({ isPrimaryOutput }) => !isPrimaryOutput);
  return (
    <>
      {timeline.isReconnecting && (
        <p className="notice" role="status">
          {texts.runs.reconnecting}
        </p>
      )}
      {timeline.error !== undefined && <Fault error={timeline.error} />}
      {run.errorCode && (
        <p className="notice bad">
          <strong>{run.errorCode}</strong> {run.errorMessage}
        </p>
      )}
      <ToolCalls run={run} />
      {run.kind === 'workflow' && <Approvals runId={run.id} version={timeline.changes.approvals} />}
      <div className="columns">
        <div>
          <section className="panel">
            <h2>{texts.runs.output}</h2>
            {output === '' ? (
              <p className="quiet">{run.completedAt === null ? texts.runs.noOutput : texts.runs.endedWithout}</p>
            ) : (
              <>
                <AnswerText text={formatJson(output)} label={texts.runs.output} />
                <Copy text={output} />
              </>
            )}
          </section>
          <RunInputPanel runId={run.id} />
        </div>
        <section className="panel">
          <h2>{texts.runs.facts}</h2>
          <Facts run={run} events={timeline.events} />
        </section>
      </div>
      <RunTree run={run} events={timeline.events} chosen={chosen} onChoose={setChosen} />
      {run.workflowId !== null && (
        <RunGraph workflowId={run.workflowId} spans={timeline.spans} chosen={chosen} onChoose={setChosen} />
      )}
      {(run.kind === 'lens' || run.kind === 'workflow') && <RunScores runId={run.id} />}
      <RelatedRuns run={run} />
      <RunDeliveries run={run} />
      {timeline.log.length > 0 && <RunLog log={timeline.log} />}
      {others.length > 0 && (
        <section className="panel">
          <h2>{texts.runs.artifacts}</h2>
          {others.map(({ id, artifactKind, contentText, contentJson }) => (
            <details key={id}>
              <summary>{artifactKind}</summary>
              <Json value={contentText ?? contentJson} label={artifactKind} />
            </details>
          ))}
        </section>
      )}
      <h2>{texts.runs.events}</h2>
      <Rows
        items={timeline.events}
        label={texts.runs.events}
        rowHeight={30}
        row={(event, style) => <EventRow key={event.sequence} event={event} style={style} />}
      />
      <RawRun run={run} />
    </>
  );
}

/** The request and the answer of a run as the API has them. */
function RawRun({ run }: { run: shapes.PlatformRunStatus }) {
  const [isOpen, setOpen] = useState(false);
  const { data: input } = useRunInput(run.id);
  const parts = isOpen
    ? ([
        [runsTexts.rawInput, input],
        [runsTexts.rawRun, run],
      ] as const)
    : [];
  return (
    <details className="panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{runsTexts.raw}</summary>
      {parts.map(([name, value]) => (
        <section key={name}>
          <h2>{name}</h2>
          <Json value={value} label={name} />
          <Copy text={formatJson(value)} />
        </section>
      ))}
    </details>
  );
}

function EventRow({ event, style }: { event: RunEvent; style: object }) {
  const { sequence, eventType, occurredAt, payload } = event;
  return (
    <div className="rows-item event-row" style={style}>
      <span className="quiet">{sequence}</span>
      <ClockTime at={occurredAt} />
      <span>{eventType}</span>
      <code>{JSON.stringify(payload)}</code>
    </div>
  );
}

function Facts({ run, events }: { run: shapes.PlatformRunStatus; events: readonly RunEvent[] }) {
  const { startedAt, completedAt } = run;
  const { settings } = useConsole();
  const traceId = useRunInput(run.id).data?.traceId;
  const firstText = measureFirstText(events);
  const took = startedAt && completedAt ? duration(Date.parse(completedAt) - Date.parse(startedAt)) : undefined;
  return (
    <dl className="facts">
      <dt>{texts.status}</dt>
      <dd>
        <Status value={run.status} />
      </dd>
      <dt>{texts.created}</dt>
      <dd>
        <Time at={run.createdAt} />
      </dd>
      <dt>{texts.runs.took}</dt>
      <dd>{took ?? '–'}</dd>
      {firstText !== undefined && (
        <>
          <dt>{texts.runs.firstText}</dt>
          <dd>{duration(firstText)}</dd>
        </>
      )}
      <dt>{texts.runs.origin}</dt>
      <dd>{run.origin.replaceAll('_', ' ')}</dd>
      {run.label && (
        <>
          <dt>{texts.runs.label}</dt>
          <dd>
            {run.label}
            {run.arm && ` · ${texts.runs.arm(run.arm)}`}
          </dd>
        </>
      )}
      <dt>{texts.runs.model}</dt>
      <dd>{run.modelKey ? `${run.providerKey}/${run.modelKey}` : '–'}</dd>
      <dt>{texts.runs.tokens}</dt>
      <dd>
        {tokenText(run)}
        {run.finishReason === 'length' && <> · {texts.runs.cutOff}</>}
      </dd>
      <dt>{texts.runs.cost}</dt>
      <dd>{costText(run)}</dd>
      <Relations run={run} />
      {traceId && (
        <>
          <dt>{texts.runs.trace}</dt>
          <dd>
            {settings.trace === undefined ? (
              <code>{traceId}</code>
            ) : (
              <a href={settings.trace.replaceAll('{traceId}', traceId)} target="_blank" rel="noreferrer">
                {traceId}
              </a>
            )}
          </dd>
        </>
      )}
      <dt>{texts.runs.request}</dt>
      <dd>
        <code>{run.requestId}</code>
      </dd>
    </dl>
  );
}

/** The things that a run belongs to. */
function Relations({ run }: { run: shapes.PlatformRunStatus }) {
  const { lensId, workflowId, parentRunId, tags = [] } = run;
  const title = useTargetTitle(run);
  return (
    <>
      {lensId && (
        <>
          <dt>{texts.runs.lens}</dt>
          <dd>
            <Link to="/lenses/$lensId" params={{ lensId }}>
              {title ?? lensId}
            </Link>
          </dd>
        </>
      )}
      {workflowId && (
        <>
          <dt>{texts.runs.workflow}</dt>
          <dd>
            <Link to="/workflows/$workflowId" params={{ workflowId }}>
              {title ?? workflowId}
            </Link>
          </dd>
        </>
      )}
      {parentRunId && (
        <>
          <dt>{texts.runs.parent}</dt>
          <dd>
            <Link to="/runs/$runId" params={{ runId: parentRunId }}>
              {parentRunId}
            </Link>
          </dd>
        </>
      )}
      {tags.length > 0 && (
        <>
          <dt>{texts.runs.tags}</dt>
          <dd>
            {tags.map((tag) => (
              <Link key={tag} className="status plain" to="/runs" search={{ tag }}>
                {tag}
              </Link>
            ))}
          </dd>
        </>
      )}
    </>
  );
}
