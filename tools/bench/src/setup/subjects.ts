import { runChannel } from '@lensforge/contracts';
import { type Platform, demoParams } from '@lensforge/dev';
import { switchQueue } from '@lensforge/queue';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import { baselineChannel, baselinePrefix, baselineQueue } from '../baseline/schema.js';
import type { Call } from '../load/connection.js';
import type { Writer } from '../load/orders.js';
import type { Side } from '../report/row.js';
import type { BaselinePrograms } from './baseline-programs.js';

/** One of the two sides, as the load generator sees it. */
export interface Subject {
  readonly side: Side;
  accept(): Call;
  /** Like `accept`, for runs that are followed. */
  acceptWatched(): Call;
  /** `{id}` stands for what was accepted. */
  stream(): Call;
  readonly queue: Queue;
  /** The number of accepted, unfinished runs. */
  unfinished(): Promise<number>;
  finished(): Promise<number>;
  /** Prepares an accepted run for events of the writer; returns how they are committed and published. */
  takeOver(id: string): Promise<Omit<Writer, 'databaseUrl' | 'redisUrl'>>;
}

const count = async (db: pg.Pool, what: string): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${what}`);
  return rows[0]?.count ?? 0;
};

const ownPrefix = 'lensforge';
const queuePrefix = `{${ownPrefix}}`;

/** Is paused as an operator does it, which holds back direct jobs, too. */
class SwitchedQueue extends Queue {
  constructor(private readonly redis: Redis) {
    super('runs', { connection: redis, prefix: queuePrefix });
  }

  override pause(): Promise<void> {
    return this.switch(true);
  }

  override resume(): Promise<void> {
    return this.switch(false);
  }

  private switch(paused: boolean): Promise<void> {
    return switchQueue({ redis: this.redis, prefix: queuePrefix, queue: 'runs', paused });
  }
}

export function ourSubject(platform: Platform, db: pg.Pool, redis: Redis): Subject {
  const { tokens, lensId } = platform;
  const port = Number(new URL(platform.urlOf('api-gateway')).port);
  // The second demo user has no webhook endpoint, so a run causes no deliveries.
  const headers = { authorization: `Bearer ${tokens['developer2'] ?? ''}` };
  const accept = (): Call => ({
    port,
    method: 'POST',
    path: `/v1/lenses/${lensId}/execute`,
    headers,
    body: JSON.stringify({ params: demoParams }),
  });
  return {
    side: 'ours',
    accept,
    acceptWatched: accept,
    stream: () => ({ port, method: 'GET', path: '/v1/runs/{id}/events', headers }),
    queue: new SwitchedQueue(redis),
    unfinished: () =>
      count(db, `(select from runs where status = 'queued' union all select from runs where status = 'running') open`),
    finished: () => count(db, `runs where status = 'succeeded'`),
    takeOver: async (id) => {
      const { rows } = await db.query<{ after: number }>(
        `update runs set status = 'running', attempt = 1, worker = 'bench', lease_until = now() + interval '1 day',
                deadline_at = now() + interval '1 day' where id = $1 returning last_sequence as after`,
        [id],
      );
      return { id, after: rows[0]?.after ?? 0, channel: `${ownPrefix}:${runChannel(id)}`, commit: ourCommit };
    },
  };
}

const ourCommit = `
with new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select $1::uuid, (e ->> 'sequence')::int, e ->> 'eventType', e -> 'payload' from jsonb_array_elements($2::jsonb) e
)
update runs set last_sequence = last_sequence + jsonb_array_length($2::jsonb) where id = $1::uuid`;

export function baselineSubject(baseline: BaselinePrograms, db: pg.Pool, redis: Redis): Subject {
  const post = (headers: Record<string, string>): Call => ({
    port: baseline.port,
    method: 'POST',
    path: '/jobs',
    headers,
    body: JSON.stringify({ params: demoParams }),
  });
  return {
    side: 'baseline',
    accept: () => post({}),
    acceptWatched: () => post({ 'x-watched': 'yes' }),
    stream: () => ({ port: baseline.port, method: 'GET', path: '/jobs/{id}/events' }),
    queue: new Queue(baselineQueue, { connection: redis, prefix: baselinePrefix }),
    unfinished: () => count(db, 'baseline_jobs where done_at is null'),
    finished: () => count(db, 'baseline_jobs where done_at is not null'),
    takeOver: async (id) => ({ id, after: 0, channel: baselineChannel(id), commit: baselineCommit }),
  };
}

const baselineCommit = `
with new_events as (
  insert into baseline_events (job_id, sequence, event)
  select $1::uuid, (e ->> 'sequence')::int, e from jsonb_array_elements($2::jsonb) e
)
update baseline_jobs set last_sequence = last_sequence + jsonb_array_length($2::jsonb) where id = $1::uuid`;
