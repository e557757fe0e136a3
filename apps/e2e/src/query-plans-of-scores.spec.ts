import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import {
  advanceEvaluationRules,
  backfillEvaluationRule,
  deleteExpiredFeedbackKeys,
  listEvaluationRules,
  listReviewItems,
  listReviewQueues,
  listRunEvaluations,
  listRunScores,
  readEvaluationLag,
  readNextReview,
  readReleaseStatistics,
  readReviewAgreement,
  readScoreStatistics,
} from '@lensforge/evaluation';
import { aContext, fillDatabase } from '@lensforge/testing';
import { indexesOf } from './query-plan-reader.js';

/** 1,000 accounts with a lens, ten rules, 100 runs with scores, evaluations and a queue with reviews each; the first has 20,000 runs. */
const fill = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'a-' || i, 'x' from generate_series(1, 1000) i;
insert into lenses (id, account_id, title, visibility, status, head_version_id) select uuidv7(), id, 'x', 'private', 'published', uuidv7() from accounts;
insert into lens_versions (id, lens_id, semver, template_body, params) select head_version_id, id, '1.0.0', 'x', '[]' from lenses;
insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, deadline_at, started_at, completed_at, label)
  select uuidv7(), uuidv7(), l.account_id, 'lens', l.id, l.head_version_id, 'succeeded', '{}', m.id, now(), now(), now(), 'production'
    from models m, lenses l, generate_series(1, 100) where m.is_default;
insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, deadline_at, started_at, completed_at, label)
  select uuidv7(), uuidv7(), l.account_id, 'lens', l.id, l.head_version_id, 'succeeded', '{}', m.id, now(), now(), now(), 'production'
    from models m, (select * from lenses order by id limit 1) l, generate_series(1, 20000) where m.is_default;
insert into run_scores (run_id, id, account_id, target_id, version_id, label, name, source, of_experiment, score, created_at)
  select id, uuidv7(), account_id, lens_id, lens_version_id, label, 'polite', 'rule', false, 0.5, now() from runs;
insert into evaluation_rules (id, account_id, name, lens_id, share, scorers, credits_per_day, authority, seen_until, due_at, created_at, updated_at)
  select uuidv7(), account_id, 'r' || n, id, 1, '[]', 1000, '{"scopes":[]}', now(), now() + interval '1 h', now(), now()
    from lenses, generate_series(1, 10) n;
update evaluation_rules set due_at = now() - interval '1 s' where id = (select id from evaluation_rules order by id limit 1);
insert into run_evaluations (run_id, rule_id, account_id, state, ended_at)
  select r.id, e.id, r.account_id, 'evaluated', now()
    from runs r join (select distinct on (account_id) account_id, id from evaluation_rules order by account_id, id) e on e.account_id = r.account_id;
insert into review_queues (id, account_id, name, scale, reviewers, per_item, created_at)
  select uuidv7(), id, 'q', 'verdict', array[id], 1, now() from accounts;
insert into review_items (run_id, queue_id, id, state) select r.id, q.id, uuidv7(), 'open' from runs r join review_queues q on q.account_id = r.account_id;
insert into reviews (run_id, queue_id, reviewer_id, score, created_at)
  select i.run_id, i.queue_id, q.account_id, 1, now() from review_items i join review_queues q on q.id = i.queue_id where random() < 0.5;
insert into feedback_keys (hash, run_id, made_by, expires_at) select sha256(id::text::bytea), id, '{}', now() + interval '1 hour' from runs`;

let database: TestDatabase;
let accountId: string;
let lensId: string;
let ruleId: string;
let queueId: string;
let runId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  await fillDatabase(database.url, fill);
  const [found] = await database.source.query<
    [Record<'accountId' | 'lensId' | 'ruleId' | 'queueId' | 'runId', string>]
  >(
    `select l.account_id as "accountId", l.id as "lensId", q.id as "queueId",
            (select e.id from evaluation_rules e where e.account_id = l.account_id order by id limit 1) as "ruleId",
            (select r.id from runs r where r.lens_id = l.id order by r.id limit 1) as "runId"
       from lenses l join review_queues q on q.account_id = l.account_id order by l.id limit 1`,
  );
  ({ accountId, lensId, ruleId, queueId, runId } = found);
});
afterAll(() => database.close());

const own = (ctx: Context): Context => ({ ...ctx, actor: aContext(ctx.db, { accountId }).actor });
const platform = (ctx: Context): Context => ({ ...ctx, actor: platformActor });
const rules = /^evaluation_rules by evaluation_rules_/;
const evaluations = /^run_evaluations\w* by run_evaluations_/;
const scores = /^run_scores\w* by run_scores_/;
const reviews = /^(bitmap|review_queues|review_items|reviews)\w* by (review_queues|review_items|reviews)_/;
const others = /^(runs|run_artifacts|accounts|lenses|memberships|lens_versions|api_tokens)\w* by /;

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['the scores of a run', (ctx) => listRunScores(own(ctx), { runId, limit: 20 }), [scores, others]],
  ['scores over time', (ctx) => readScoreStatistics(own(ctx), { lensId, interval: 'day' }), [scores, others]],
  ['scores by version', (ctx) => readReleaseStatistics(own(ctx), { lensId, by: 'version' }), [scores, others]],
  ['rules', (ctx) => listEvaluationRules(own(ctx), { limit: 20 }), [rules, evaluations, others]],
  [
    'the rules about a run',
    (ctx) => listRunEvaluations(own(ctx), { runId, limit: 20 }),
    [rules, evaluations, scores, others],
  ],
  [
    'the passes of rules',
    (ctx) => advanceEvaluationRules(platform(ctx), { timeoutMs: 1000, goesOn: () => true }),
    [rules, evaluations, others],
  ],
  ['the lag of rules', (ctx) => readEvaluationLag(platform(ctx)), [rules, others]],
  [
    'a backfill',
    (ctx) => backfillEvaluationRule(own(ctx), { ruleId, from: '2026-01-01T00:00:00Z' }),
    [rules, evaluations, others],
  ],
  ['queues', (ctx) => listReviewQueues(own(ctx), { limit: 20 }), [reviews, others]],
  ['items', (ctx) => listReviewItems(own(ctx), { queueId, limit: 20 }), [reviews]],
  ['the next review', (ctx) => readNextReview(own(ctx), { queueId }), [reviews, others]],
  ['agreement', (ctx) => readReviewAgreement(own(ctx), queueId), [reviews, scores]],
  ['expired keys', (ctx) => deleteExpiredFeedbackKeys(ctx), [/^feedback_keys by feedback_keys_expiry$/]],
];

describe('a query on scores uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(database.source, call);
    for (const way of ways) expect([way, expected.some((each) => each.test(way))]).toEqual([way, true]);
    expect(ways.length).toBeGreaterThan(0);
  });
});
