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
import { DataTable } from '../ui/data-table';

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
        <DataTable
          items={queues}
          getKey={({ queue }) => queue}
          columns={[
            {
              name: operatorTexts.queue,
              show: ({ queue, paused }) => (
                <>
                  {queue} {paused && <span className="status bad">{operatorTexts.paused}</span>}
                </>
              ),
            },
            {
              name: operatorTexts.jobsWaiting,
              isNamed: true,
              sortBy: ({ waiting }) => waiting,
              show: ({ waiting }) => waiting,
            },
            { name: operatorTexts.active, isNamed: true, sortBy: ({ active }) => active, show: ({ active }) => active },
            {
              name: operatorTexts.delayed,
              isNamed: true,
              sortBy: ({ delayed }) => delayed,
              show: ({ delayed }) => delayed,
            },
            {
              name: operatorTexts.jobsFailed,
              isNamed: true,
              sortBy: ({ failed }) => failed,
              show: ({ failed }) => failed,
            },
            {
              name: operatorTexts.oldest,
              isNamed: true,
              sortBy: ({ oldestWaitingSeconds }) => oldestWaitingSeconds,
              show: ({ waiting, oldestWaitingSeconds }) =>
                waiting === 0 ? '–' : duration(oldestWaitingSeconds * 1000),
            },
            {
              name: texts.actions,
              show: ({ queue, paused }) =>
                paused ? (
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
                ),
            },
          ]}
        />
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
      <DataTable
        items={workers}
        getKey={({ worker }) => worker}
        columns={[
          { name: operatorTexts.worker, sortBy: ({ worker }) => worker, show: ({ worker }) => <code>{worker}</code> },
          { name: operatorTexts.runs, isNamed: true, sortBy: ({ runs }) => runs, show: ({ runs }) => runs },
          {
            name: operatorTexts.lease,
            isNamed: true,
            sortBy: ({ leaseSeconds }) => leaseSeconds,
            show: ({ leaseSeconds }) => `${leaseSeconds.toFixed(1)} s`,
          },
        ]}
      />
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
