import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunsQuery, operatorRunLists } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { createLens } from '@lensforge/lenses';
import {
  acceptLensRun,
  admitRuns,
  advanceRunStream,
  appendEvents,
  appendNodeText,
  claimRuns,
  countFailedRuns,
  extendLeases,
  findReader,
  finishRuns,
  limitRuns,
  listArtifacts,
  listRuns,
  countByRelease,
  listFailedRuns,
  listRunsForOperators,
  moveNodes,
  openRunStream,
  readAllRunStatistics,
  readRunWithEvents,
  readEvents,
  readLeases,
  readRun,
  readLensMessages,
  readRunInput,
  readRunOperation,
  readRunStatistics,
  readRunStream,
  readSnapshots,
  readableRun,
  restoreRunOperations,
  waitingRunsByModel,
} from '@lensforge/runs';
import { aFinish } from '@lensforge/runs/testing';
import { aContext, fillDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { planCounts, plansIn, indexesOf } from './query-plan-reader.js';

const owner = newId();
const lens = newId();
const batch = newId();

/** An account with 4,000 runs, most of them from last month, among 36,000 of other accounts. */
const fill = `
insert into runs (id, request_id, account_id, kind, lens_id, status, params, model_id, deadline_at, lease_until,
                  completed_at, last_sequence, tags, batch_id, created_at)
  select uuidv7(at), uuidv7(), case when i % 10 = 1 then '${owner}'::uuid else uuidv7() end, 'lens',
         case when i % 1000 = 1 then '${lens}'::uuid else uuidv7() end, status, '{}', m.id, now() + interval '1 hour',
         case status when 'running' then now() + interval '1 hour' end,
         case when status not in ('running', 'queued') then now() end, 2,
         case when i % 50 = 1 then '{some,many}'::text[] when i % 5 = 1 then '{many,x}' else '{}' end,
         case when i between 20000 and 20099 then '${batch}'::uuid end, now() + at
    from models m, generate_series(1, 40000) i,
         lateral (select (i - 40000) * interval '1 minute' as at,
                         case when i > 39950 then 'running' when i > 39500 then 'queued' when i % 500 = 1 then 'failed' else 'succeeded' end as status) x
   where m.is_default;
insert into run_events (run_id, sequence, type, payload) select id, s, 'log', '{}' from runs, generate_series(1, 2) s;
insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility)
  select gen_random_uuid(), id, 'text', 'x', true, 'private' from runs where status = 'succeeded';
insert into run_operations (id, request_id, account_id, asked_by, action, filter, status, completed_at)
  select uuidv7(), uuidv7(), uuidv7(), '{}', 'cancel', '{}', 'succeeded', now() from generate_series(1, 5000);
insert into run_read_tokens (hash, run_id, made_by, expires_at) select sha256(id::text::bytea), id, '{}', now() + interval '1 hour' from runs`;

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let run: string;
let runnable: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
  ctx = aContext(source.manager, { accountId: owner });
  [{ id: run }] = await source.query<[{ id: string }]>(
    `select id from runs where account_id = $1 and status = 'succeeded' limit 1`,
    [owner],
  );
  await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', 'owner', 'x')`, [
    owner,
  ]);
  runnable = (await createLens(ctx, { title: 'x', templateBody: 'x' })).lens.id;
  limitRuns(source, { atOnce: 10_000, backlog: 20_000 });
});
afterAll(() => database.close());

const own = ({ db }: Context): Context => ({ ...ctx, db });
const list =
  (filter: Partial<RunsQuery>) =>
  (ctx: Context): Promise<unknown> =>
    listRuns(own(ctx), { limit: 20, ...filter });

const lastDay = { from: new Date(Date.now() - 864e5).toISOString(), interval: 'hour' } as const;

const now = Date.now();
const failedOfLastDay = {
  createdAfter: new Date(now - 864e5).toISOString(),
  createdBefore: new Date(now).toISOString(),
};
const ofFailed = [/^(runs|bitmap) by runs_(pkey|unsuccessful|account|parent)$/, /^accounts by accounts_pkey$/];
/** These tables have few rows here; with many, query-plans-of-workflows.spec.ts sees their keys used. */
const ofTitles = /^(lenses|workflows|lens_versions|workflow_versions) by /;
const ofModels = /^models by models_\w+$/;
const byAccount = /^runs by runs_account$/;
const open = /^(runs|bitmap) by runs_(in_flight|waiting|running|queued|queued_deadline|account)$/;
const labels = [/^run_labels by run_labels_(pkey|written)$/, /^runs by runs_(pkey|account)$/];
const ofStream = [...labels, /^run_stream_\w+ by /, /^run_streams by /, /^run_events by run_events_pkey$/, open];

const ofAcceptance = [
  /^runs by runs_(in_flight|waiting|pkey)$/,
  /^idempotency_keys by idempotency_keys_pkey$/,
  /^(lenses|lens_versions) by /,
];
const accept = (ctx: Context, more: object = {}): Promise<unknown> =>
  acceptLensRun(own(ctx), { lensId: runnable, params: {}, timeoutMs: 60_000, ...more });

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['listing runs', list({}), [byAccount, ofTitles]],
  ['listing those of a kind', list({ kind: 'lens' }), [byAccount, ofTitles]],
  [
    'listing those of a time',
    list({ createdBefore: new Date(Date.now() - 864e6).toISOString() }),
    [byAccount, ofTitles],
  ],
  ['listing those that failed', list({ status: ['failed', 'timed_out'] }), [/runs_unsuccessful$/, ofTitles]],
  ['listing those with an error', list({ errorCode: 'PROVIDER_FAILED' }), [/runs_unsuccessful$/, ofTitles]],
  [
    'searching runs',
    list({ q: 'x', modelKey: 'echo', minCreditCost: 0, minDurationMs: 0, scoreName: 'x', minScore: 0, maxScore: 1 }),
    [byAccount, /^run_artifacts by run_artifacts_\w+$/, /^models by /, ofTitles],
  ],
  ['listing those on their way', list({ status: ['queued', 'running'] }), [open, ofTitles]],
  ['listing those of a lens', list({ lensId: lens }), [/^(runs|bitmap) by runs_ended_target$/, open, ofTitles]],
  ['listing those of a batch', list({ batchId: batch }), [...labels, ofTitles]],
  ['listing those with a tag that many have', list({ tag: ['many'] }), [...labels, ofTitles]],
  ['listing those with two tags', list({ tag: ['many', 'some'] }), [...labels, ofTitles]],
  [
    'listing those that another one started',
    list({ parentRunId: batch }),
    [/^(runs|bitmap) by runs_parent$/, ofTitles],
  ],
  ['counting runs over time', (ctx) => readRunStatistics(own(ctx), lastDay), [byAccount]],
  [
    'counting those of a lens over time',
    (ctx) => readRunStatistics(own(ctx), { ...lastDay, lensId: lens }),
    [/^(runs|bitmap) by runs_ended_target$/, open],
  ],
  [
    'comparing the versions of a lens',
    (ctx) =>
      countByRelease(own(ctx), { by: 'arm', lensId: lens, ...lastDay, to: new Date().toISOString(), limit: 1000 }),
    [/^(runs|bitmap) by runs_ended_target$/],
  ],
  ['counting those with a tag over time', (ctx) => readRunStatistics(own(ctx), { ...lastDay, tag: ['many'] }), labels],
  ['counting those of all accounts over time', (ctx) => readAllRunStatistics(ctx, lastDay), [/^runs by runs_pkey$/]],
  ['reading what a run was started with', (ctx) => readRunInput(own(ctx), run), [/^runs by runs_(pkey|account)$/]],
  ['reading the messages of a run', (ctx) => readLensMessages(own(ctx), run), [/^runs by runs_pkey$/, ofTitles]],
  [
    'listing runs for operators',
    async (ctx) => {
      for (const name of operatorRunLists) await listRunsForOperators(ctx, name);
    },
    [/^(runs|bitmap) by runs_(pkey|queued|running|queued_deadline)$/, /^accounts by accounts_pkey$/],
  ],
  [
    'counting runs that wait for another attempt',
    (ctx) => waitingRunsByModel(ctx, 1000),
    [/^(runs|bitmap) by runs_queued(_deadline)?$/, ofModels],
  ],
  [
    'counting and listing failed runs of all accounts',
    async (ctx) => {
      await countFailedRuns(ctx, failedOfLastDay);
      await listFailedRuns(ctx, failedOfLastDay, { limit: 100 });
    },
    [...ofFailed, ofModels],
  ],
  [
    'counting and listing those of an account and a model',
    async (ctx) => {
      const filter = { ...failedOfLastDay, account: own(ctx).actor.accountId, model: 'offline/echo' };
      await countFailedRuns(ctx, filter);
      await listFailedRuns(ctx, filter, { limit: 100 });
    },
    [...ofFailed, ofModels],
  ],
  [
    'accepting a run, and the next one of the same account',
    async (ctx) => {
      await accept(ctx);
      await accept(ctx);
    },
    ofAcceptance,
  ],
  [
    'accepting a run with a key of either kind',
    (ctx) => accept(ctx, { idempotencyKey: 'k', concurrencyKey: 'k' }),
    ofAcceptance,
  ],
  [
    'listing artifacts',
    (ctx) => listArtifacts(own(ctx), { runId: run, limit: 100 }),
    [/run_artifacts_run$|run_artifacts_pkey$/, /runs_pkey$/],
  ],
  [
    'reading an operation',
    (ctx) => readRunOperation(own(ctx), newId()).catch(() => undefined),
    [/^run_operations by run_operations_(pkey|account)$/],
  ],
  [
    'looking for lost operations',
    (ctx) => restoreRunOperations(ctx),
    [/^run_operations by run_operations_(open|pkey)$/],
  ],
  [
    'finding whose a read token is',
    (ctx) => findReader(ctx, { token: `lf_run_${'0'.repeat(64)}`, runId: run }),
    [/^run_read_tokens by run_read_tokens_pkey$/],
  ],
  [
    'following a batch',
    async (ctx) => {
      const { id } = await openRunStream(own(ctx), { batchId: batch });
      await advanceRunStream(ctx, id);
      await readRunStream(ctx, id, { after: 0, limit: 100 });
    },
    ofStream,
  ],
];

describe('a query on lists of runs uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    expect(ways.length).toBeGreaterThan(0);
    for (const way of ways) expect([way, expected.some((one) => one.test(way))]).toEqual([way, true]);
  });
});

const lost = { runId: newId(), attempt: 1 };

const often: [string, (ctx: Context) => Promise<unknown>][] = [
  ['reading a run', (ctx) => readRun(own(ctx), run)],
  ['judging who may know of it', (ctx) => readableRun(own(ctx), run)],
  ['reading its events', (ctx) => readEvents(ctx, run, 1)],
  ['beginning to follow it', (ctx) => readRunWithEvents(ctx, { runId: run, after: 0, limit: 100 })],
  ['claiming runs', (ctx) => claimRuns(ctx, [{ runId: newId(), generation: 0, worker: 'w', leaseMs: 1000 }])],
  ['writing their events', (ctx) => appendEvents(ctx, [{ ...lost, after: 1, events: [] }])],
  ['ending them', (ctx) => finishRuns(ctx, [aFinish({ id: lost.runId, attempt: 1 })])],
  ['extending leases', (ctx) => extendLeases(ctx, [lost], 1000)],
  ['looking at leases', (ctx) => readLeases(ctx, [lost])],
  ['reading where workflows stand', (ctx) => readSnapshots(ctx, [newId()])],
  ['moving nodes', (ctx) => moveNodes(ctx, [])],
  ['writing what nodes say', (ctx) => appendNodeText(ctx, [])],
  ['looking whether an account has runs in line', (ctx) => admitRuns(ctx, [owner])],
];

describe('a frequent statement on runs uses its generic plan:', () => {
  it.each(often)('%s', async (_, call) => {
    expect(await plansIn(database.url, call)).toEqual([planCounts]);
  });
});
