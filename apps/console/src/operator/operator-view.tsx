import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { operatorTexts } from '../view-texts/operator';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { duration } from '../ui/time';
import { FailedRuns } from './failed-runs';
import { ProviderPauses } from './provider-pauses';
import { RunLists } from './run-lists';
import { Throughput } from './throughput';

const refreshMs = 3000;

/** The state of the whole installation, for its operators: runs, queues, workers, stores and invariants. */
export default function OperatorView() {
  const client = useClient();
  const status = useQuery({
    queryKey: ['operator'],
    queryFn: () => client.operator.getStatus(),
    refetchInterval: refreshMs,
  });
  const [requeued, setRequeued] = useState<number>();
  const requeue = async (): Promise<void> => {
    setRequeued((await client.operator.requeueRuns()).requeued);
    await status.refetch();
  };
  const onSwitch = async (queue: string, paused: boolean): Promise<void> => {
    await client.operator.setQueue(queue, { paused });
    await status.refetch();
  };
  const actions = (
    <ConfirmedAction question={operatorTexts.requeueQuestion} onAct={requeue}>
      {operatorTexts.requeue}
    </ConfirmedAction>
  );
  return (
    <Page title={operatorTexts.title} actions={actions}>
      {requeued !== undefined && (
        <p role="status" className="notice">
          {operatorTexts.requeued} {requeued}
        </p>
      )}
      <Loaded query={status}>
        {(found) => (
          <>
            <Figures runs={found.runs} />
            <Throughput />
            <Invariants invariants={found.invariants} />
            <ProviderPauses pauses={found.providerPauses} />
            <RunLists />
            <FailedRuns />
            <Queues queues={found.queues} onSwitch={onSwitch} />
            <Workers workers={found.workers} />
            <Stores status={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ runs }: { runs: shapes.RunsStatus }) {
  const names = ['queued', 'waiting', 'running', 'accepted', 'failed', 'lost'] as const;
  return (
    <div className="figures">
      {names.map((name) => (
        <div key={name} className="figure">
          <span className="quiet">{operatorTexts[name]}</span>
          <strong>{runs[name].toLocaleString('en')}</strong>
        </div>
      ))}
    </div>
  );
}

function Invariants({ invariants }: { invariants: shapes.InvariantsStatus }) {
  const names = ['stuckRuns', 'unsettledCredits', 'eventGaps', 'staleOutbox'] as const;
  return (
    <section className="panel">
      <h2>{operatorTexts.invariants}</h2>
      <p className="quiet">{operatorTexts.invariantsHint}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <span className={`status ${invariants[name] === 0 ? 'good' : 'bad'}`}>{invariants[name]}</span>{' '}
            {operatorTexts[name]}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface QueuesProps {
  queues: readonly shapes.QueueStatus[];
  onSwitch: (queue: string, paused: boolean) => Promise<void>;
}

function Queues({ queues, onSwitch }: QueuesProps) {
  return (
    <section className="panel scroll">
      <h2>{operatorTexts.queues}</h2>
      {queues.length === 0 ? (
        <Empty title={operatorTexts.unreachable} />
      ) : (
        <table className="table stacks">
          <thead>
            <tr>
              <th scope="col">{operatorTexts.queue}</th>
              <th scope="col">{operatorTexts.jobsWaiting}</th>
              <th scope="col">{operatorTexts.active}</th>
              <th scope="col">{operatorTexts.delayed}</th>
              <th scope="col">{operatorTexts.jobsFailed}</th>
              <th scope="col">{operatorTexts.oldest}</th>
              <th scope="col">{texts.actions}</th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ queue, waiting, active, delayed, failed, paused, oldestWaitingSeconds }) => (
              <tr key={queue}>
                <td>
                  {queue} {paused && <span className="status bad">{operatorTexts.paused}</span>}
                </td>
                <td data-name={operatorTexts.jobsWaiting}>{waiting}</td>
                <td data-name={operatorTexts.active}>{active}</td>
                <td data-name={operatorTexts.delayed}>{delayed}</td>
                <td data-name={operatorTexts.jobsFailed}>{failed}</td>
                <td data-name={operatorTexts.oldest}>{waiting === 0 ? '–' : duration(oldestWaitingSeconds * 1000)}</td>
                <td>
                  {paused ? (
                    <button type="button" onClick={() => void onSwitch(queue, false)}>
                      {operatorTexts.resume}
                    </button>
                  ) : (
                    <ConfirmedAction
                      question={`${queue}: ${operatorTexts.pauseQuestion}`}
                      onAct={() => onSwitch(queue, true)}
                    >
                      {operatorTexts.pause}
                    </ConfirmedAction>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const Workers = ({ workers }: { workers: readonly shapes.WorkerStatus[] }) => (
  <section className="panel scroll">
    <h2>{operatorTexts.workers}</h2>
    {workers.length === 0 ? (
      <Empty title={operatorTexts.noWorkers} />
    ) : (
      <table className="table stacks">
        <thead>
          <tr>
            <th scope="col">{operatorTexts.worker}</th>
            <th scope="col">{operatorTexts.runs}</th>
            <th scope="col">{operatorTexts.lease}</th>
          </tr>
        </thead>
        <tbody>
          {workers.map(({ worker, runs, leaseSeconds }) => (
            <tr key={worker}>
              <td>
                <code>{worker}</code>
              </td>
              <td data-name={operatorTexts.runs}>{runs}</td>
              <td data-name={operatorTexts.lease}>{leaseSeconds.toFixed(1)} s</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);

const megabytes = (bytes: number): string => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

const Stores = ({ status: { database, redis, outbox } }: { status: shapes.OperatorStatus }) => (
  <section className="panel">
    <h2>{operatorTexts.stores}</h2>
    <dl className="facts">
      <dt>PostgreSQL {database.version}</dt>
      <dd>
        {operatorTexts.size} {megabytes(database.bytes)} · {operatorTexts.connections} {database.connections} /{' '}
        {database.maxConnections} · {operatorTexts.migration} {database.schema}
      </dd>
      <dt>Redis {redis?.version}</dt>
      <dd>
        {redis
          ? `${operatorTexts.size} ${megabytes(redis.bytes)} · ${operatorTexts.connections} ${redis.connections}`
          : operatorTexts.unreachable}
      </dd>
      <dt>{operatorTexts.outbox}</dt>
      <dd>{outbox.due}</dd>
    </dl>
  </section>
);
