import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import {
  type HeldBatch,
  advanceExperiment,
  collectBatches,
  endBatch,
  explainMiss,
  exportRecording,
  listRecordings,
  listScorers,
  readBatchCall,
  readCallsOfBatch,
  readExperiment,
  readScorer,
  recallCall,
  recordCall,
  recordOutcomes,
  takeBatch,
} from '@lensforge/evaluation';
import { aContext, fillDatabase } from '@lensforge/testing';
import { indexesOf } from './query-plan-reader.js';

/** 2,000 accounts, each with a recording of ten calls, a scorer and an experiment with a batch; the oldest has many of all. */
const fill = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'a-' || i, 'x' from generate_series(1, 2000) i;
insert into recordings (id, account_id, name) select uuidv7(), id, 'r' from accounts;
insert into recorded_calls (recording_id, key, kind, place, repetition, request, response)
  select id, 'k' || k, 'model', '', 1, '{"prompt":"x"}', '{}' from recordings, generate_series(1, 10) k;
insert into recorded_calls (recording_id, key, kind, place, repetition, request, response)
  select (select id from recordings order by id limit 1), 'many ' || k, 'model', '', 1, '{"prompt":"x"}', '{}' from generate_series(1, 10000) k;
insert into scorers (id, account_id, name, version) select uuidv7(), id, 's', 2 from accounts;
insert into scorer_versions (scorer_id, version, rule) select id, v, '{"kind":"check"}' from scorers, generate_series(1, 2) v;
insert into datasets (id, account_id, name, revision, cases) select uuidv7(), id, 'set', 1, 1 from accounts;
insert into experiments (id, account_id, asked_by, request_id, name, status, lens_id, dataset_id, revision, arms, baseline, scorers,
                         repetitions, cases, concurrency, complete_within_ms, is_planned)
  select uuidv7(), account_id, jsonb_build_object('accountId', account_id, 'userId', account_id, 'scopes', '[]'::jsonb, 'credential', '{"kind":"session","id":"x"}'::jsonb),
         uuidv7(), 'x', 'running', uuidv7(), id, 1, '[{"name":"a"}]', null, '[]', 1, 1, 25, 60000, true from datasets;
insert into model_batches (id, experiment_id, account_id, provider, model, status, calls, complete_by, due_at)
  select uuidv7(), id, account_id, 'openai', 'm', 'submitted', 10, now() + interval '1 hour', now() + interval '1 minute' from experiments;
insert into batch_calls (run_id, experiment_id, batch_id, state, provider, model, request, complete_by)
  select uuidv7(), experiment_id, id, 'sent', 'openai', 'm', '{}', now() + interval '1 hour' from model_batches, generate_series(1, 10);
insert into experiment_cells (experiment_id, key, repetition, arm, state, run_id)
  select experiment_id, run_id, 1, 0, 'running', run_id from batch_calls;
insert into experiment_judgements (experiment_id, key, repetition, arm, scorer, part, state, run_id)
  select experiment_id, key, repetition, arm, 0, 0, 'done', uuidv7() from experiment_cells;
update model_batches set due_at = now() where id = (select id from model_batches order by id limit 1)`;

let database: TestDatabase;
let first: {
  experimentId: string;
  accountId: string;
  batchId: string;
  recordingId: string;
  scorerId: string;
  runId: string;
};

beforeAll(async () => {
  database = await openTestDatabase();
  await fillDatabase(database.url, fill);
  [first] = await database.source.query<[typeof first]>(
    `select e.id as "experimentId", e.account_id as "accountId", b.id as "batchId", r.id as "recordingId", s.id as "scorerId",
            (select run_id from batch_calls where batch_id = b.id limit 1) as "runId"
       from recordings r join scorers s using (account_id) join experiments e using (account_id) join model_batches b on b.experiment_id = e.id
      order by r.id limit 1`,
  );
});
afterAll(() => database.close());

const own = (ctx: Context): Context => ({ ...ctx, actor: aContext(ctx.db, { accountId: first.accountId }).actor });
const platform = (ctx: Context): Context => ({ ...ctx, actor: platformActor });
const held = (): HeldBatch => ({ id: first.batchId, experimentId: first.experimentId, look: 0 }) as HeldBatch;
const policy = () => ({ mode: 'record' as const, recordingId: first.recordingId, repetition: 1 });
const order = { kind: 'model' as const, place: '', request: { prompt: 'y' } };

async function readAll(lines: Promise<AsyncIterable<string>>): Promise<void> {
  for await (const _ of await lines);
}

const experiments = /^experiments by experiments_(pkey|account|open)$/;
const cells = /^experiment_cells by experiment_cells_/;
const judgements = /^experiment_judgements by experiment_judgements_/;
const batches = /^model_batches by model_batches_(pkey|due|experiment)$/;
const batchCalls = /^batch_calls by batch_calls_(pkey|experiment|batch|waiting)$/;
const recordings = /^recordings by recordings_(pkey|account|cache)$/;
const recorded = /^recorded_calls by recorded_calls_(pkey|file)$/;
const scorers = /^scorers by scorers_(pkey|account)/;
const versions = /^scorer_versions by scorer_versions_pkey$/;

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['listing recordings', (ctx) => listRecordings(own(ctx), { limit: 20 }), [recordings, recorded]],
  ['exporting a recording', (ctx) => readAll(exportRecording(own(ctx), first.recordingId)), [recordings, recorded]],
  ['recalling a call', (ctx) => recallCall(platform(ctx), policy(), order), [recorded]],
  ['recording a call', (ctx) => recordCall(platform(ctx), policy(), order, { response: {} }), [recordings, recorded]],
  ['explaining a miss', (ctx) => explainMiss(platform(ctx), policy(), order), [recorded]],
  ['listing scorers', (ctx) => listScorers(own(ctx), { limit: 20 }), [scorers, versions]],
  ['reading a scorer', (ctx) => readScorer(own(ctx), { scorerId: first.scorerId }), [scorers, versions]],
  ['collecting batches', (ctx) => collectBatches(platform(ctx), 1000), [experiments, batchCalls]],
  [
    'taking a batch',
    (ctx) => takeBatch(platform(ctx), { providers: ['openai'], leaseMs: 1000 }),
    [experiments, batches, batchCalls],
  ],
  ['reading the requests of a batch', (ctx) => readCallsOfBatch(platform(ctx), first.batchId), [batchCalls]],
  ['reading the request of a run', (ctx) => readBatchCall(platform(ctx), first.runId), [batchCalls]],
  [
    'recording outcomes',
    (ctx) => recordOutcomes(platform(ctx), first.batchId, [{ runId: newId(), answer: {} }]),
    [batchCalls],
  ],
  ['ending a batch', (ctx) => endBatch(platform(ctx), held(), null), [batches, batchCalls]],
  [
    'reading an experiment with batches',
    (ctx) => readExperiment(own(ctx), first.experimentId),
    [experiments, cells, judgements, batchCalls],
  ],
  [
    'advancing an experiment with batches',
    (ctx) => advanceExperiment(platform(ctx), first.experimentId, { timeoutMs: 1000 }),
    [experiments, cells, judgements, batchCalls, /^(dataset_cases|runs|run_artifacts|accounts|api_tokens)/],
  ],
];

describe('a query on recordings, scorers and batches uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(database.source, call);
    for (const way of ways) expect([way, expected.some((each) => each.test(way))]).toEqual([way, true]);
    expect(ways.length).toBeGreaterThan(0);
  });
});
