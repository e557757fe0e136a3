import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EvaluationRuleCreate, ModelFile, type ScorerRule, parse } from '@lensforge/contracts';
import { type Context, DomainError, newId, platformActor } from '@lensforge/core';
import { aKeyPair } from '@lensforge/byok/testing';
import { grantTestCredits } from '@lensforge/credits/testing';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { announceProviders, importModels } from '@lensforge/models';
import { limitRuns } from '@lensforge/runs';
import { closeSandbox } from '@lensforge/sandbox';
import { answerRuns, openRuns } from '../../test/answer-runs.js';
import { fully, levelAnswer } from '../../test/level-answers.js';
import {
  advanceEvaluationRules,
  answerScorerCall,
  backfillEvaluationRule,
  createEvaluationRule,
  createScorer,
  listRunEvaluations,
  listRunScores,
  readEvaluationRule,
  removeEvaluationRule,
  updateEvaluationRule,
} from '../index.js';

let database: TestDatabase;
let platform: Context;
let ada: Context;
const model = { provider: 'openai', creditsPer1kInput: 10, creditsPer1kOutput: 10, maxOutputTokens: 500 };
beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 10 });
  limitRuns(database.source, { atOnce: 10_000, backlog: 20_000 });
  platform = { ...database.ctx, actor: platformActor };
  const models = [{ ...model, key: 'judge', capabilities: ['stream', 'json', 'sampling'] }];
  await importModels(database.ctx, parse(ModelFile, { models }).models);
  await announceProviders(database.ctx.db, ['openai']);
  ada = actingAs(database.ctx, (await anAccount(database.ctx)).id);
  await grantTestCredits(database.ctx, ada.actor.accountId, 1_000_000);
});
afterAll(async () => {
  closeSandbox();
  await database.close();
});

let count = 0;
const aScorer = async (rule: ScorerRule): Promise<{ id: string; name: string }> =>
  createScorer(ada, { name: `s${(count += 1)}`, rule });
const saysOk: ScorerRule = { kind: 'check', assertions: [{ type: 'equals', value: 'ok {{Word}}' }] };
const rubric: ScorerRule = { kind: 'model', method: 'rubric', rubric: 'Says {{Word}} only.', model: 'judge' };

/** A lens with a rule that evaluates its runs by one scorer. */
async function aRule(rule: ScorerRule, more: Partial<EvaluationRuleCreate> = {}) {
  const { id: lensId } = await aLens(ada, { templateBody: 'Say [[Word]]' });
  const scorer = await aScorer(rule);
  const order = { name: `r${(count += 1)}`, lensId, scorers: [{ id: scorer.id }], ...more };
  const { id: ruleId } = await createEvaluationRule(ada, order);
  return { lensId, scorer, ruleId };
}

interface Runs {
  lensId: string;
  words: readonly string[];
  status?: 'succeeded' | 'failed' | 'queued';
  label?: string;
  tag?: string;
  cause?: object;
  agoMs?: number;
}

/** Inserts runs with the answer `ok` and their word; returns their ids in the order of the words. */
async function someRuns({
  lensId,
  words,
  status = 'succeeded',
  label,
  tag,
  cause,
  agoMs = 0,
}: Runs): Promise<string[]> {
  const isOpen = status === 'queued';
  const ids = words.map(() => newId());
  const early = ids.map((id) => {
    const at = (Date.now() - agoMs).toString(16).padStart(12, '0');
    return agoMs === 0 ? id : `${at.slice(0, 8)}-${at.slice(8)}${id.slice(13)}`;
  });
  await database.ctx.db.query(
    `insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, deadline_at,
                       started_at, completed_at, label, tags, cause)
     select x.id, uuidv7(), $1, 'lens', $2, l.head_version_id, $3, jsonb_build_object('Word', x.word), m.id, now() + interval '1 h',
            case when $4 then null else now() end, case when $4 then null else now() end, $5, $6::text[], $7::jsonb
       from unnest($8::uuid[], $9::text[]) as x(id, word), models m, lenses l where m.is_default and l.id = $2`,
    [
      ...[ada.actor.accountId, lensId, status, isOpen, label ?? null, tag === undefined ? [] : [tag]],
      ...[cause ? JSON.stringify(cause) : null, early, words],
    ],
  );
  await answer(early.filter(() => status === 'succeeded'));
  return early;
}

const answer = (ids: readonly string[]): Promise<unknown> =>
  database.ctx.db.query(
    `insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility)
     select uuidv7(), id, 'text', 'ok ' || case when params ->> 'Word' = 'odd' then '' else params ->> 'Word' end, true, 'private'
       from runs where id = any ($1)`,
    [ids],
  );

const dueNow = async (): Promise<void> => {
  await database.ctx.db.query('update evaluation_rules set due_at = now()');
  await database.ctx.db.query(`update run_evaluations set due_at = now() where state = 'pending'`);
};
async function advance(): Promise<void> {
  await dueNow();
  await advanceEvaluationRules(platform, { timeoutMs: 60_000, goesOn: () => true });
}
const states = async (runIds: readonly string[]): Promise<string[]> => {
  const all = await Promise.all(runIds.map((runId) => listRunEvaluations(ada, { runId, limit: 10 })));
  return all.map(({ items: [first] }) => `${first?.state}${first?.reason ? `: ${first.reason}` : ''}`);
};
const scoresOf = async (runId: string): Promise<unknown[]> =>
  (await listRunScores(ada, { runId, limit: 10 })).items.map(({ score, pass, error }) => ({ score, pass, error }));
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (reason: unknown) => (reason instanceof DomainError ? reason.code : reason),
  );

describe('a rule of evaluation', () => {
  it('gives each run of its lens that has succeeded a score, once, also when several workers look', async () => {
    const { lensId, ruleId, scorer } = await aRule(saysOk);
    const runs = await someRuns({ lensId, words: ['a', 'odd', 'c'] });
    const [failed = ''] = await someRuns({ lensId, words: ['d'], status: 'failed' });
    await dueNow();
    await Promise.all([1, 2, 3].map(() => advanceEvaluationRules(platform, { timeoutMs: 60_000, goesOn: () => true })));
    await advance();
    expect(await states([...runs, failed])).toEqual([
      ...['evaluated', 'evaluated', 'evaluated'],
      'skipped: the run has ended as failed',
    ]);
    const passed = { score: 1, pass: true, error: null };
    expect(await Promise.all(runs.map(scoresOf))).toEqual([[passed], [{ ...passed, score: 0, pass: false }], [passed]]);
    const { items } = await listRunScores(ada, { runId: runs[1] ?? '', limit: 10 });
    expect(items).toMatchObject([{ name: scorer.name, source: 'rule', reason: expect.stringContaining('equal') }]);
    expect(await readEvaluationRule(ada, ruleId)).toMatchObject({ pending: 0, creditsToday: 0 });
  });

  it('says why it passes over a run', async () => {
    const { lensId } = await aRule(saysOk, { label: 'production', tag: 'web' });
    const of = { lensId, words: ['a'], label: 'production', tag: 'web' };
    const [fits = ''] = await someRuns(of);
    const [noLabel = ''] = await someRuns({ lensId, words: ['a'], tag: 'web' });
    const [noTag = ''] = await someRuns({ lensId, words: ['a'], label: 'production' });
    const [tried = ''] = await someRuns({ ...of, cause: { kind: 'experiment', experimentId: newId() } });
    const [before = ''] = await someRuns({ ...of, agoMs: 600_000 });
    const [open = ''] = await someRuns({ ...of, status: 'queued' });
    expect(await states([fits])).toEqual(['pending: its evaluation is under way']);
    await advance();
    expect(await states([fits, noLabel, noTag, tried, before, open])).toEqual([
      'evaluated',
      'skipped: the label production did not decide about its version',
      'skipped: it does not have the tag web',
      'skipped: runs of experiments and battles are not evaluated',
      'skipped: it was accepted before the rule was created: a backfill evaluates it',
      'pending: the run has not ended',
    ]);
    await database.ctx.db.query(
      `update runs set status = 'running', started_at = now(), lease_until = now() where id = $1`,
      [open],
    );
    await database.ctx.db.query(
      `update runs set status = 'succeeded', completed_at = now(), lease_until = null where id = $1`,
      [open],
    );
    await answer([open]);
    await advance();
    expect(await states([open])).toEqual(['evaluated']);
  });

  it('takes its share by the ids of runs, and keeps those of a smaller one', async () => {
    const { lensId, ruleId } = await aRule(saysOk, { share: 10 });
    const words = Array.from({ length: 2000 }, (_, at) => `w${at}`);
    const runs = await someRuns({ lensId, words });
    const added = async (): Promise<string[]> => {
      await dueNow();
      await advanceEvaluationRules(platform, { timeoutMs: 60_000, goesOn: () => true });
      const rows = await database.ctx.db.query<{ id: string }[]>(
        'select run_id as id from run_evaluations where rule_id = $1',
        [ruleId],
      );
      return rows.map(({ id }) => id);
    };
    const tenth = await added();
    expect(tenth.length / 2000).toBeGreaterThan(0.07);
    expect(tenth.length / 2000).toBeLessThan(0.13);
    await updateEvaluationRule(ada, { ruleId, share: 30 });
    await backfillEvaluationRule(ada, {
      ruleId,
      from: new Date(Date.now() - 60_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    });
    const more = await added();
    expect(more.length / 2000).toBeGreaterThan(0.26);
    expect(tenth.filter((id) => !more.includes(id))).toEqual([]);
    const outside = runs.filter((id) => !more.includes(id)).slice(0, 3);
    expect(await states(outside)).toEqual(outside.map(() => 'skipped: it is outside of the share of 30 %'));
  });

  it('evaluates runs of the past by a backfill, each once', async () => {
    const { lensId, ruleId } = await aRule(saysOk);
    const past = await someRuns({ lensId, words: ['a', 'b'], agoMs: 3_600_000 });
    await someRuns({ lensId, words: ['c'], agoMs: 7_200_000 });
    const from = new Date(Date.now() - 4_000_000).toISOString();
    expect(await backfillEvaluationRule(ada, { ruleId, from })).toEqual({ runs: 2, added: 2, continueWith: null });
    expect(await backfillEvaluationRule(ada, { ruleId, from })).toMatchObject({ runs: 2, added: 0 });
    await advance();
    expect(await states(past)).toEqual(['evaluated', 'evaluated']);
    expect(await refusal(backfillEvaluationRule(ada, { ruleId, from, to: from }))).toBe('BAD_INPUT');
  });

  it('asks judges with the rights of its creator, and skips runs when the credits of the day are used', async () => {
    const { lensId, ruleId, scorer } = await aRule(rubric, { creditsPerDay: 40 });
    const runs = await someRuns({ lensId, words: ['a', 'b', 'c', 'd', 'e'] });
    for (let round = 0; round < 10; round += 1) {
      await advance();
      await answerRuns(platform, scorer.id, ({ prompt }) => levelAnswer(prompt, fully), 7);
    }
    const found = await states(runs);
    const evaluated = runs.filter((_, at) => found[at] === 'evaluated');
    expect(evaluated.length).toBeGreaterThan(0);
    expect(evaluated.length).toBeLessThan(5);
    expect(found.filter((each) => each !== 'evaluated')).toEqual(
      Array.from({ length: 5 - evaluated.length }, () =>
        expect.stringMatching(/^skipped: the 40 credits a day of the rule do not suffice/),
      ),
    );
    const rule = await readEvaluationRule(ada, ruleId);
    expect(rule.creditsToday).toBe(7 * evaluated.length);
    const { items } = await listRunEvaluations(ada, { runId: evaluated[0] ?? '', limit: 10 });
    expect(items).toMatchObject([{ credits: 7, scores: [{ score: 1, pass: true, judge: { model: 'judge' } }] }]);
    await database.ctx.db.query(`update evaluation_rules set spent_on = spent_on - 1 where id = $1`, [ruleId]);
    expect((await readEvaluationRule(ada, ruleId)).creditsToday).toBe(0);
    const [next = ''] = await someRuns({ lensId, words: ['f'] });
    await advance();
    await answerRuns(platform, scorer.id, ({ prompt }) => levelAnswer(prompt, fully), 7);
    await advance();
    expect(await states([next])).toEqual(['evaluated']);
  });

  it('looks at judges of runs of long ago soon again, and does nothing for a disabled account', async () => {
    const { lensId, ruleId, scorer } = await aRule(rubric);
    const [runId = ''] = await someRuns({ lensId, words: ['a'], agoMs: 30 * 86_400_000 });
    await backfillEvaluationRule(ada, { ruleId, from: new Date(Date.now() - 40 * 86_400_000).toISOString() });
    const setDisabled = (at: string): Promise<unknown> =>
      database.ctx.db.query(`update accounts set disabled_at = ${at} where id = $1`, [ada.actor.accountId]);
    await setDisabled('now()');
    await advance();
    expect(await openRuns(platform, scorer.id)).toEqual([]);
    await setDisabled('null');
    await advance();
    expect(await openRuns(platform, scorer.id)).toHaveLength(1);
    const [{ soon }] = await database.ctx.db.query<[{ soon: boolean }]>(
      `select due_at < now() + interval '10 s' as soon from run_evaluations where rule_id = $1`,
      [ruleId],
    );
    expect(soon).toBe(true);
    await answerRuns(platform, scorer.id, ({ prompt }) => levelAnswer(prompt, fully));
    await advance();
    expect(await states([runId])).toEqual(['evaluated']);
  });

  it('asks a judge once more when an answer cannot be read, and never twice after a loss', async () => {
    const { lensId, ruleId, scorer } = await aRule(rubric);
    const [runId = ''] = await someRuns({ lensId, words: ['a'] });
    await advance();
    await database.ctx.db.query('update run_evaluations set asked = null where rule_id = $1', [ruleId]);
    await advance();
    expect(await openRuns(platform, scorer.id)).toHaveLength(1);
    await answerRuns(platform, scorer.id, () => 'not what was asked for');
    await advance();
    expect(await openRuns(platform, scorer.id)).toHaveLength(1);
    await answerRuns(platform, scorer.id, () => 'again not');
    await advance();
    expect(await scoresOf(runId)).toEqual([
      { score: null, pass: false, error: expect.stringContaining('two answers could not be read') },
    ]);
    expect(await states([runId])).toEqual(['evaluated']);
  });

  it('calls programs of their owner', async () => {
    await aKeyPair(database.ctx);
    const { lensId, scorer } = await aRule({ kind: 'http', url: 'https://scorer.example/' });
    const [runId = ''] = await someRuns({ lensId, words: ['a'] });
    await advance();
    const [call] = await database.ctx.db.query<{ id: string; request: { output: string; params: object } }[]>(
      'select id, request from scorer_calls where scorer_id = $1',
      [scorer.id],
    );
    expect(call?.request).toMatchObject({ output: 'ok a', params: { Word: 'a' } });
    await answerScorerCall(platform, call?.id ?? '', { outcome: '{"score":0.4}', reasoning: 'half' });
    await advance();
    expect(await scoresOf(runId)).toEqual([{ score: expect.closeTo(0.4), pass: false, error: null }]);
  });

  it('does nothing while it is off, suspended or deleted, and passes over the time until it acts again', async () => {
    const { lensId, ruleId } = await aRule(saysOk);
    await updateEvaluationRule(ada, { ruleId, enabled: false });
    const [off = ''] = await someRuns({ lensId, words: ['a'] });
    await advance();
    expect(await states([off])).toEqual(['pending: the rule is switched off']);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await updateEvaluationRule(ada, { ruleId, enabled: true });
    const [on = ''] = await someRuns({ lensId, words: ['b'] });
    await advance();
    expect(await states([off, on])).toEqual([
      'skipped: the rule did not act when it was accepted: a backfill evaluates it',
      'evaluated',
    ]);
    await removeEvaluationRule(ada, ruleId);
    await advance();
    expect((await listRunEvaluations(ada, { runId: on, limit: 10 })).items).toEqual([]);
    expect(await scoresOf(on)).toHaveLength(1);
  });

  it('is refused with a wrong target, scorer or name, and to strangers', async () => {
    const { lensId, ruleId, scorer } = await aRule(saysOk);
    const eve = actingAs(database.ctx, (await anAccount(database.ctx)).id);
    const create = (more: Partial<EvaluationRuleCreate>, ctx = ada) =>
      refusal(createEvaluationRule(ctx, { name: `r${(count += 1)}`, scorers: [{ id: scorer.id }], ...more }));
    expect(await create({})).toBe('BAD_INPUT');
    expect(await create({ lensId, workflowId: newId() })).toBe('BAD_INPUT');
    expect(await create({ lensId: newId() })).toBe('NOT_FOUND');
    expect(await create({ lensId, scorers: [{ id: newId() }] })).toBe('NOT_FOUND');
    expect(await create({ lensId, scorers: [{ id: scorer.id }, { id: scorer.id }] })).toBe('BAD_INPUT');
    const { id: compares } = await aScorer({ kind: 'pairwise' });
    expect(await create({ lensId, scorers: [{ id: compares }] })).toBe('BAD_INPUT');
    const { name } = await readEvaluationRule(ada, ruleId);
    expect(await create({ lensId, name })).toBe('CONFLICT');
    expect(await create({ lensId }, eve)).toBe('NOT_FOUND');
    const from = new Date(0).toISOString();
    const [runId = ''] = await someRuns({ lensId, words: ['a'] });
    for (const work of [
      () => readEvaluationRule(eve, ruleId),
      () => updateEvaluationRule(eve, { ruleId, share: 1 }),
      () => removeEvaluationRule(eve, ruleId),
      () => backfillEvaluationRule(eve, { ruleId, from }),
      () => listRunEvaluations(eve, { runId, limit: 10 }),
    ]) {
      expect(await refusal(work())).toBe('NOT_FOUND');
    }
  });
});
