import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { claimOutbox, deleteFromOutbox } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { findCredentials, stillValid, touchCredentials } from '@lensforge/identity';
import { runnableLens } from '@lensforge/lenses';
import {
  appendEvents,
  cancelRun,
  claimRuns,
  countQueuedRuns,
  extendLeases,
  finishRuns,
  queuedRuns,
  readEvents,
  readLeases,
  readRun,
  readableRun,
  reconcileRuns,
  readRunPositions,
} from '@lensforge/runs';
import { aFinish } from '@lensforge/runs/testing';
import { fillDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { indexesOf } from './query-plan-reader.js';

/**
 * Enough rows that no planner would read a table as a whole to find a few. docs/query-plans.md has a million.
 * All runs are of the middle of the month: in the last hours of a month they would be in two partitions.
 */
const fill = `
insert into accounts (id, kind, handle, display_name) select gen_random_uuid(), 'person', 'a-' || i, 'x' from generate_series(1, 5000) i;
insert into api_tokens (id, kind, hash, prefix, account_id, label, scopes)
  select gen_random_uuid(), 'developer', sha256(id::text::bytea), 'lf_dev_xxxxx', id, 'x', '{lenses:read}' from accounts;
insert into lenses (id, account_id, title, visibility, status, head_version_id)
  select gen_random_uuid(), id, 'x', 'public', 'published', gen_random_uuid() from accounts;
insert into lens_versions (id, lens_id, semver, template_body, params)
  select head_version_id, id, '1.0.0', 'x', '[]' from lenses;
insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, deadline_at,
                  lease_until, completed_at, queued_at, last_sequence, attempt)
  select uuidv7(date_trunc('month', now()) + interval '14 days' - now() + interval '1 second' * i), uuidv7(), a.id, 'lens', uuidv7(), uuidv7(), s.status, '{}', m.id, now() + interval '1 hour',
         case s.status when 'running' then now() + interval '1 hour' end,
         case s.status when 'succeeded' then now() end, now() - interval '1 minute', 3, 1
    from models m, (select id, row_number() over () as n from accounts) a join generate_series(1, 40000) i on a.n = 1 + i % 5000,
         lateral (select case when i > 39900 then 'running' when i > 38000 then 'queued' else 'succeeded' end as status) s
   where m.is_default;
insert into run_events (run_id, sequence, type, payload) select id, s, 'log', '{}' from runs, generate_series(1, 3) s;
insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility)
  select gen_random_uuid(), id, 'text', 'x', true, 'private' from runs where status = 'succeeded';
insert into outbox (id, job, job_id, payload, claimed_until)
  select gen_random_uuid(), 'run.execute', i || '-g0', '{}', now() + interval '1 hour' from generate_series(1, 20000) i;
insert into outbox (id, job, job_id, payload) select gen_random_uuid(), 'run.execute', i || '-g1', '{}' from generate_series(1, 20) i`;

let database: TestDatabase;
let source: DataSource;
let ended: { id: string; account_id: string };
let queued: string[];
let running: string[];
let lens: string;
let token: { id: string; hash: Buffer };

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
  const runs = await source.query<{ id: string; account_id: string; status: string }[]>(
    `(select id, account_id, status from runs where status = 'succeeded' offset 20000 limit 1)
     union all (select id, account_id, status from runs where status = 'queued' limit 5)
     union all (select id, account_id, status from runs where status = 'running' limit 5)`,
  );
  ended = runs[0]!;
  [queued, running] = ['queued', 'running'].map((wanted) =>
    runs.filter(({ status }) => status === wanted).map(({ id }) => id),
  ) as [string[], string[]];
  [{ id: lens }] = await source.query<[{ id: string }]>('select id from lenses limit 1');
  [token] = await source.query<[typeof token]>('select id, hash from api_tokens limit 1');
});
afterAll(() => database.close());

const progressOf = (runId: string) => ({ runId, attempt: 1, after: 3, events: [] });
const finishOf = (id: string) => aFinish({ id, attempt: 1 });
const heldOf = (runId: string) => ({ runId, attempt: 1 });
const claimOf = (runId: string) => ({ runId, generation: 0, worker: 'w', leaseMs: 1000 });

const hot: [string, (ctx: Context) => Promise<unknown>, (string | RegExp)[]][] = [
  [
    'looking up a token',
    ({ db }) => findCredentials(db, [token.hash]),
    ['accounts by accounts_pkey', 'api_tokens by api_tokens_hash'],
  ],
  [
    'asking whether a token is still valid',
    ({ db }) => stillValid(db, [token.id]),
    ['accounts by accounts_pkey', 'api_tokens by api_tokens_pkey'],
  ],
  ['noting the use of a token', ({ db }) => touchCredentials(db, [token.id]), ['api_tokens by api_tokens_pkey']],
  [
    'finding a lens to run',
    (ctx) => runnableLens(ctx, lens),
    ['lens_versions by lens_versions_pkey', 'lenses by lenses_pkey'],
  ],
  ['reading a run', (ctx) => readRun(ctx, ended.id), [/run_artifacts_pkey$/, 'runs by runs_pkey']],
  ['asking for a run', (ctx) => readableRun(ctx, ended.id), ['runs by runs_pkey']],
  ['reading events', (ctx) => readEvents(ctx, ended.id, 1), [/run_events_pkey$/]],
  ['seeing how far runs have come', (ctx) => readRunPositions(ctx, running), [/runs_pkey$/]],
  ['claiming runs', (ctx) => claimRuns(ctx, queued.map(claimOf)), [/runs_(pkey|queued)$/]],
  [
    'appending events',
    (ctx) => appendEvents(ctx, running.map(progressOf)),
    [/run_events_pkey$/, /runs_(pkey|running)$/],
  ],
  ['finishing runs', (ctx) => finishRuns(ctx, running.map(finishOf)), [/runs_(pkey|running)$/, /runs_waiting$/]],
  [
    'finishing runs while others wait for slots',
    async (ctx) => {
      await ctx.db.query(
        `update runs set account_id = (select account_id from runs where id = $2), admitted_at = null, waits_for = 'slot'
          where id = $1`,
        [queued[0], running[0]],
      );
      await finishRuns(ctx, [finishOf(running[0]!)]);
      await finishRuns(ctx, running.slice(1).map(finishOf));
    },
    [/runs_(pkey|running|waiting)$/, /runs_in_flight$/],
  ],
  ['extending leases', (ctx) => extendLeases(ctx, running.map(heldOf), 1000), [/runs_pkey$/, /runs_(pkey|running)$/]],
  ['feeling the pulse', (ctx) => readLeases(ctx, running.map(heldOf)), [/runs_(pkey|running)$/]],
  [
    'canceling a run',
    (ctx) => cancelRun(ctx, queued[0]!),
    [/runs_pkey$/, /runs_(pkey|queued|queued_deadline|waiting)$/],
  ],
  [
    'looking for overdue runs',
    (ctx) => reconcileRuns(ctx, { maxLost: 5, cancelGraceMs: 1000, limit: 200 }),
    [/runs_queued_deadline$/, /runs_running$/],
  ],
  [
    'listing queued runs',
    (ctx) => queuedRuns(ctx, { after: queued[2]!, olderThanMs: 3000, limit: 50 }),
    [/runs_queued(_deadline)?$/],
  ],
  ['counting queued runs', (ctx) => countQueuedRuns(ctx, { olderThanMs: 3000 }), [/runs_queued(_deadline)?$/]],
  ['claiming outbox rows', ({ db }) => claimOutbox(db), [/outbox_open$/, /outbox_pkey$/]],
  ['striking outbox rows', ({ db }) => deleteFromOutbox(db, [newId()]), [/outbox_pkey$/]],
];

describe('a query of every request or run uses an index:', () => {
  it.each(hot)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    for (const way of expected) expect(ways).toContainEqual(typeof way === 'string' ? way : expect.stringMatching(way));
    for (const way of ways) {
      expect([way, expected.some((one) => (typeof one === 'string' ? one === way : one.test(way)))]).toEqual([
        way,
        true,
      ]);
    }
  });
});
