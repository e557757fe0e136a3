import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import type { ReactNode } from 'react';
import { useWaiting } from '../approvals/use-waiting';
import { LastDay } from './last-day';
import { RunName } from '../runs/run-name';
import { type RunRange, getRangeBegin } from '../runs/run-ranges';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Suspension } from '../ui/suspension';
import { Time } from '../ui/time';
import { toVisible } from '../ui/visible-text';

const words = texts.home;
const refreshMs = 5000;
const most = 6;

/** The first view: it tells what runs, what fails, what waits for the person and what it costs. */
export default function HomeView() {
  const client = useClient();
  const runs = useQuery({
    queryKey: ['runs', 'any'],
    queryFn: async () => (await client.runs.list({ limit: 1 })).items,
    staleTime: 60_000,
  });
  return (
    <Page title={words.title}>
      <Loaded query={runs}>
        {(items) => (
          <div className="home">
            {items.length === 0 && <FirstStep />}
            <LastDay />
            <div className="columns home-parts">
              <Waiting />
              <Runs
                title={words.running}
                none={words.noneRunning}
                status={['queued', 'running']}
                all={<Link to="/runs">{words.allRuns}</Link>}
              />
              <Runs
                title={words.failed}
                none={words.noneFailed}
                status={['failed', 'timed_out']}
                range="day"
                all={
                  <Link to="/runs" search={{ status: 'failed', range: 'day' }}>
                    {words.allFailed}
                  </Link>
                }
              />
              <Costs />
            </div>
            <StoppedEndpoints />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** For an account that has run nothing yet. */
const FirstStep = () => (
  <section className="panel">
    <Empty title={words.nothingYet}>
      <p>{words.firstStep}</p>
      <Link className="button primary" to="/lenses/new">
        {words.newLens}
      </Link>
    </Empty>
  </section>
);

interface PartProps {
  title: string;
  children: ReactNode;
}

const Part = ({ title, children }: PartProps) => (
  <section className="panel">
    <h2>{title}</h2>
    {children}
  </section>
);

function Waiting() {
  return (
    <Part title={words.waiting}>
      <Loaded query={useWaiting()}>
        {({ approvals, actions, proposals, count }) =>
          count === 0 ? (
            <p className="quiet">{texts.approvals.none}</p>
          ) : (
            <>
              <ul className="lines">
                {proposals.slice(0, most).map(({ id, title, label, version }) => (
                  <li key={id}>
                    <span>{words.move(toVisible(title ?? ''), label, version)}</span>
                  </li>
                ))}
                {actions.map((action) => (
                  <li key={action.id}>
                    <Link
                      to="/agents/$aiLenserId"
                      params={{ aiLenserId: action.aiLenserId }}
                      search={{ tab: 'approvals' }}
                    >
                      @{action.handle}: {toVisible(action.toolId ?? action.action.replaceAll('_', ' '))}
                    </Link>
                    <Time at={action.requestedAt} />
                  </li>
                ))}
                {approvals.map(({ id, message, runId, requestedAt }) => (
                  <li key={id}>
                    <Link to="/runs/$runId" params={{ runId }}>
                      {toVisible(message)}
                    </Link>
                    <Time at={requestedAt} />
                  </li>
                ))}
              </ul>
              <Link to="/approvals">{words.answer(count)}</Link>
            </>
          )
        }
      </Loaded>
    </Part>
  );
}

interface RunsProps {
  title: string;
  none: string;
  status: shapes.RunItem['status'][];
  range?: RunRange;
  all: ReactNode;
}

/** The newest runs in some statuses, of a range if there is one. */
function Runs({ title, none, status, range, all }: RunsProps) {
  const client = useClient();
  const runs = useQuery({
    queryKey: ['runs', 'home', status],
    queryFn: async () =>
      (await client.runs.list({ status, ...(range && { createdAfter: getRangeBegin(range) }), limit: most })).items,
    refetchInterval: refreshMs,
  });
  return (
    <Part title={title}>
      <Loaded query={runs}>
        {(items) =>
          items.length === 0 ? (
            <p className="quiet">{none}</p>
          ) : (
            <>
              <ul className="lines">
                {items.map((run) => (
                  <li key={run.id}>
                    <Link to="/runs/$runId" params={{ runId: run.id }}>
                      <RunName run={run} />
                    </Link>
                    {run.errorCode === null ? <Status value={run.status} /> : <code>{run.errorCode}</code>}
                    <Time at={run.createdAt} />
                  </li>
                ))}
              </ul>
              {all}
            </>
          )
        }
      </Loaded>
    </Part>
  );
}

function Costs() {
  const client = useClient();
  const forecast = useQuery({ queryKey: ['forecast'], queryFn: async () => client.credits.forecast() });
  return (
    <Part title={words.costs}>
      <Loaded query={forecast}>
        {({ available, spent, perDay, daysLeft }) => (
          <>
            <dl className="facts">
              <dt>{words.available}</dt>
              <dd>{available.toLocaleString('en')}</dd>
              <dt>{words.spent}</dt>
              <dd>{spent.toLocaleString('en')}</dd>
              <dt>{words.perDay}</dt>
              <dd>{perDay.toLocaleString('en')}</dd>
              <dt>{words.lasts}</dt>
              <dd>{daysLeft === null ? words.noCosts : words.days(daysLeft)}</dd>
            </dl>
            <Link to="/account" search={{ tab: 'credits' }}>
              {words.allCosts}
            </Link>
          </>
        )}
      </Loaded>
    </Part>
  );
}

/** Endpoints that get nothing any more although their owner did not switch them off. */
function StoppedEndpoints() {
  const client = useClient();
  const endpoints = useQuery({
    queryKey: ['webhook-endpoints', 'home'],
    queryFn: async () => (await client.webhookEndpoints.list({ limit: 100 })).items,
    staleTime: 60_000,
  });
  const stopped = (endpoints.data ?? []).filter(
    ({ enabled, disabledReason, suspendedReason }) =>
      suspendedReason !== null || (!enabled && disabledReason !== null && disabledReason !== 'owner'),
  );
  if (stopped.length === 0) return null;
  return (
    <Part title={words.stopped}>
      <ul className="lines">
        {stopped.slice(0, most).map(({ id, url, disabledReason, suspendedReason }) => (
          <li key={id}>
            <Link to="/webhooks/$endpointId" params={{ endpointId: id }}>
              {url}
            </Link>
            <span className="bad-text">{disabledReason}</span>
            <Suspension reason={suspendedReason} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
