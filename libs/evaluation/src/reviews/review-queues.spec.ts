import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReviewQueueCreate, type ReviewRequest, ReviewQueueCreate as Create, parse } from '@lensforge/contracts';
import { type Context, DomainError, newId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { closeSandbox } from '@lensforge/sandbox';
import {
  addCasesFromReviews,
  addCasesFromRuns,
  addReviewItems,
  advanceExperiment,
  changeCases,
  createDataset,
  createExperiment,
  createReviewQueue,
  eraseReviews,
  giveReview,
  listCases,
  listReviewItems,
  listReviewQueues,
  listRunScores,
  readExperiment,
  readNextReview,
  readReviewAgreement,
  readReviewQueue,
  removeReviewQueue,
  setRunScore,
} from '../index.js';
import { answerRuns } from '../../test/answer-runs.js';
import { krippendorffAlpha } from '../statistics/agreement.js';

let database: TestDatabase;
let ada: Context;
let reviewers: Context[];
let stranger: Context;
let lensId: string;
beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 10 });
  const person = async (): Promise<Context> => actingAs(database.ctx, (await anAccount(database.ctx)).id);
  ada = await person();
  stranger = await person();
  reviewers = [await person(), await person(), await person()];
  lensId = (await aLens(ada, { templateBody: 'Say [[Word]]' })).id;
});
afterAll(async () => {
  closeSandbox();
  await database.close();
});

let count = 0;
const queueOf = (more: Partial<ReviewQueueCreate> = {}, ctx = ada) =>
  createReviewQueue(ctx, {
    ...parse(Create, { name: `q${(count += 1)}` }),
    reviewers: reviewers.map(({ actor }) => actor.accountId),
    ...more,
  });

/** Runs of the lens that have ended with the answer `ok` and their word. */
async function someRuns(
  words: readonly string[],
  { owner = ada, status = 'succeeded', of = lensId } = {},
): Promise<string[]> {
  const ids = words.map(() => newId());
  await database.ctx.db.query(
    `insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, deadline_at, started_at, completed_at)
     select x.id, uuidv7(), $1, 'lens', l.id, l.head_version_id, $2, jsonb_build_object('Word', x.word), m.id, now(), now(), now()
       from unnest($3::uuid[], $4::text[]) as x(id, word), models m, lenses l where m.is_default and l.id = $5`,
    [owner.actor.accountId, status, ids, words, of],
  );
  await database.ctx.db.query(
    `insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility)
     select uuidv7(), id, 'text', 'ok ' || (params ->> 'Word'), true, 'private' from runs where id = any ($1) and status = 'succeeded'`,
    [ids],
  );
  return ids;
}

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (reason: unknown) => (reason instanceof DomainError ? reason.code : reason),
  );
/** A review of the next answer; its state. */
async function review(ctx: Context, queueId: string, given: ReviewRequest): Promise<string> {
  const { item } = await readNextReview(ctx, { queueId });
  return (await giveReview(ctx, { queueId, itemId: item?.id ?? '', ...given })).state;
}
const [up, down] = [{ thumb: 'up' }, { thumb: 'down' }] as const;
const [one, two, three] = [0, 1, 2].map((at) => () => reviewers[at] as Context) as [
  () => Context,
  () => Context,
  () => Context,
];

describe('a review queue', () => {
  it('shows answers without a word of where they come from, and gives a run its score with the last review', async () => {
    const [runId = ''] = await someRuns(['a']);
    const { id: queueId, name } = await queueOf();
    expect(await addReviewItems(ada, { queueId, runIds: [runId] })).toEqual({ added: 1 });
    expect(await addReviewItems(ada, { queueId, runIds: [runId] })).toEqual({ added: 0 });
    const { item, waiting } = await readNextReview(one(), { queueId });
    expect({ item, waiting }).toEqual({
      item: { id: expect.any(String), params: { Word: 'a' }, output: 'ok a' },
      waiting: 1,
    });
    expect(item?.id).not.toBe(runId);
    expect(await review(one(), queueId, { ...up, comment: 'Fine.' })).toBe('open');
    expect(await readNextReview(one(), { queueId })).toEqual({ item: null, waiting: 0 });
    expect(await review(two(), queueId, up)).toBe('done');
    const { items } = await listRunScores(ada, { runId, limit: 5 });
    expect(items).toMatchObject([{ name, source: 'review', score: 1, reason: null }]);
    const [listed] = (await listReviewItems(ada, { queueId, limit: 5 })).items;
    expect(listed).toMatchObject({ runId, state: 'done', comments: ['Fine.'] });
    await eraseReviews(one());
    expect((await listReviewItems(ada, { queueId, limit: 5 })).items).toMatchObject([{ comments: [], score: 1 }]);
    expect(await readReviewQueue(ada, queueId)).toMatchObject({ items: 1, done: 1, isOwn: true, canReview: false });
    expect(await readReviewQueue(two(), queueId)).toMatchObject({ isOwn: false, canReview: true, waiting: 0 });
  });

  it('lets a third person decide when two differ, and takes the middle of three marks', async () => {
    const [runId = ''] = await someRuns(['a']);
    const { id: queueId } = await queueOf({ scale: 'marks' });
    await addReviewItems(ada, { queueId, runIds: [runId] });
    expect(await review(one(), queueId, { mark: 5 })).toBe('open');
    expect(await review(two(), queueId, { mark: 2 })).toBe('tied');
    expect((await listReviewItems(ada, { queueId, limit: 5 })).items).toMatchObject([
      { state: 'tied', score: null, reviews: 2 },
    ]);
    expect(await review(three(), queueId, { mark: 4 })).toBe('done');
    expect((await listReviewItems(ada, { queueId, limit: 5 })).items).toMatchObject([
      { runId, state: 'done', score: 0.75 },
    ]);
    const [near = ''] = await someRuns(['b']);
    await addReviewItems(ada, { queueId, runIds: [near] });
    await review(one(), queueId, { mark: 4 });
    expect(await review(two(), queueId, { mark: 3 })).toBe('done');
  });

  it('counts one review of each person, also at the same moment, and no more than it needs', async () => {
    const [runId = ''] = await someRuns(['a']);
    const { id: queueId } = await queueOf({ perItem: 1 });
    await addReviewItems(ada, { queueId, runIds: [runId] });
    const itemId = (await readNextReview(one(), { queueId })).item?.id ?? '';
    const all = await Promise.all(
      [one(), one(), two(), three()].map((ctx) => refusal(giveReview(ctx, { queueId, itemId, ...up }))),
    );
    expect(all.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'accepted']);
    expect((await listRunScores(ada, { runId, limit: 5 })).items).toHaveLength(1);
  });

  it('passes over an answer and comes back to it', async () => {
    const { id: queueId } = await queueOf();
    await addReviewItems(ada, { queueId, runIds: await someRuns(['a', 'b']) });
    const first = (await readNextReview(one(), { queueId })).item?.id ?? '';
    const second = (await readNextReview(one(), { queueId, after: first })).item?.id ?? '';
    expect(second).not.toBe(first);
    expect((await readNextReview(one(), { queueId, after: second })).item?.id).toBe(first);
  });

  it('is seen by its owner and its reviewers alone, and its runs by its owner', async () => {
    const { id: queueId } = await queueOf();
    const [runId = ''] = await someRuns(['a']);
    await addReviewItems(ada, { queueId, runIds: [runId] });
    const itemId = (await readNextReview(one(), { queueId })).item?.id ?? '';
    expect(await refusal(readReviewQueue(stranger, queueId))).toBe('NOT_FOUND');
    expect(await refusal(readNextReview(stranger, { queueId }))).toBe('NOT_FOUND');
    expect(await refusal(giveReview(stranger, { queueId, itemId, ...up }))).toBe('NOT_FOUND');
    expect(await refusal(readNextReview(ada, { queueId }))).toBe('FORBIDDEN');
    const { id: datasetId } = await createDataset(one(), { name: `d${(count += 1)}` });
    for (const work of [
      () => listReviewItems(one(), { queueId, limit: 5 }),
      () => readReviewAgreement(one(), queueId),
      () => addReviewItems(one(), { queueId, runIds: [runId] }),
      () => addCasesFromReviews(one(), { queueId, datasetId }),
      () => removeReviewQueue(one(), queueId),
    ]) {
      expect(await refusal(work())).toBe('NOT_FOUND');
    }
    const [foreign = ''] = await someRuns(['x'], { owner: stranger });
    expect(await refusal(addReviewItems(ada, { queueId, runIds: [foreign] }))).toBe('BAD_INPUT');
    expect((await listReviewQueues(one(), { limit: 100 })).items.map(({ id }) => id)).toContain(queueId);
    expect((await listReviewQueues(stranger, { limit: 100 })).items).toEqual([]);
    await removeReviewQueue(ada, queueId);
    expect(await refusal(readReviewQueue(one(), queueId))).toBe('NOT_FOUND');
  });

  it('is refused with wrong members', async () => {
    expect(await refusal(queueOf({ reviewers: ['no-such-person'] }))).toBe('BAD_INPUT');
    expect(await refusal(queueOf({ reviewers: [one().actor.accountId], perItem: 2 }))).toBe('BAD_INPUT');
    const { id: queueId, name } = await queueOf({ reviewers: [] });
    expect(await readReviewQueue(ada, queueId)).toMatchObject({ perItem: 1, canReview: true });
    expect(await refusal(queueOf({ name }))).toBe('CONFLICT');
    await addReviewItems(ada, { queueId, runIds: await someRuns(['a']) });
    const itemId = (await readNextReview(ada, { queueId })).item?.id ?? '';
    for (const given of [{}, { mark: 3 }, { ...up, mark: 3 }]) {
      expect(await refusal(giveReview(ada, { queueId, itemId, ...given }))).toBe('BAD_INPUT');
    }
    expect(await refusal(giveReview(ada, { queueId, itemId: newId(), ...up }))).toBe('NOT_FOUND');
    expect(await refusal(addReviewItems(ada, { queueId }))).toBe('BAD_INPUT');
    expect(await refusal(addReviewItems(ada, { queueId, filter: {} }))).toBe('BAD_INPUT');
    expect(await refusal(addReviewItems(ada, { queueId, filter: { lensId, score: { name: 'x' } } }))).toBe('BAD_INPUT');
  });

  it('takes runs by a score, by what two scorers disagree about, and leaves out those without an answer', async () => {
    const { id: of } = await aLens(ada, { templateBody: 'Say [[Word]] again' });
    const [low = '', high = '', split = ''] = await someRuns(['low', 'high', 'split'], { of });
    const [failed = ''] = await someRuns(['failed'], { of, status: 'failed' });
    const score = (runId: string, name: string, value: number) => setRunScore(ada, { runId, name, score: value });
    for (const [runId, polite, short] of [
      [low, 0.1, 0.2],
      [high, 0.9, 0.9],
      [split, 0.9, 0.1],
    ] as const) {
      await score(runId, 'polite', polite);
      await score(runId, 'short', short);
    }
    await score(failed, 'polite', 0);
    const inQueue = async (filter: object): Promise<string[]> => {
      const { id: queueId } = await queueOf();
      await addReviewItems(ada, { queueId, filter: { lensId: of, ...filter } });
      return (await listReviewItems(ada, { queueId, limit: 100 })).items.map(({ runId }) => runId).sort();
    };
    expect(await inQueue({})).toEqual([low, high, split].sort());
    expect(await inQueue({ score: { name: 'polite', max: 0.5 } })).toEqual([low]);
    expect(await inQueue({ score: { name: 'short', min: 0.15, max: 0.5 } })).toEqual([low]);
    expect(await inQueue({ differ: { first: 'polite', second: 'short' } })).toEqual([split]);
    expect(await inQueue({ differ: { first: 'polite', second: 'short', by: 0.05 } })).toEqual([low, split].sort());
    expect(await inQueue({ label: 'production' })).toEqual([]);
    const { id: datasetId } = await createDataset(ada, { name: `d${(count += 1)}` });
    const made = await addCasesFromRuns(ada, {
      datasetId,
      filter: { lensId: of, score: { name: 'polite', max: 0.5 } },
    });
    expect(made).toMatchObject({ added: 2 });
    const [secret = ''] = await someRuns(['ask ada@mail.example'], { of });
    await addCasesFromRuns(ada, { datasetId, runIds: [secret], withOutput: true, mask: true });
    const { items: masked } = await listCases(ada, { datasetId }, { limit: 10 });
    expect(masked.find(({ key }) => key === secret)).toMatchObject({
      params: { Word: 'ask <email>' },
      expected: 'ok ask <email>',
    });
    const failing = await addCasesFromRuns(ada, { datasetId, filter: { lensId: of, status: 'failed' } });
    expect(failing).toMatchObject({ added: 0, changed: 0 });
    expect(await refusal(addCasesFromRuns(ada, { datasetId }))).toBe('BAD_INPUT');
    expect(await refusal(addCasesFromRuns(stranger, { datasetId, filter: { lensId: of } }))).toBe('NOT_FOUND');
  });

  it('takes answers of an experiment by their scores', async () => {
    const { id: datasetId } = await createDataset(ada, { name: `d${(count += 1)}` });
    const save = ['a', 'b', 'c'].map((Word) => ({ key: Word, params: { Word } }));
    await changeCases(ada, { datasetId, save });
    const { id: experimentId } = await createExperiment(ada, {
      target: { lensId },
      arms: [{ name: 'new' }],
      dataset: { id: datasetId },
      scorers: [
        { name: 'has-a', kind: 'check', assertions: [{ type: 'contains', value: 'a' }] },
        { name: 'any', kind: 'check', assertions: [] },
      ],
    });
    const platform = { ...database.ctx, actor: platformActor };
    for (let round = 0; (await readExperiment(ada, experimentId)).completedAt === null; round += 1) {
      if (round > 50) throw new Error('the experiment does not end');
      await advanceExperiment(platform, experimentId, { timeoutMs: 60_000 });
      await answerRuns(platform, experimentId, ({ word }) => word);
    }
    const countOf = async (filter: object): Promise<number> => {
      const { id: queueId } = await queueOf();
      return (await addReviewItems(ada, { queueId, filter: { experimentId, ...filter } })).added;
    };
    expect(await countOf({})).toBe(3);
    expect(await countOf({ score: { name: 'has-a', max: 0.5 } })).toBe(2);
    expect(await countOf({ score: { name: 'has-a', min: 0.5 } })).toBe(1);
    expect(await countOf({ differ: { first: 'has-a', second: 'any' } })).toBe(2);
    expect(await countOf({ limit: 1 })).toBe(1);
    expect(await refusal(countOf({ score: { name: 'none', max: 1 } }))).toBe('BAD_INPUT');
    expect(await refusal(countOf({ label: 'production' }))).toBe('BAD_INPUT');
    const { id: queueId } = await queueOf({}, stranger);
    expect(await refusal(addReviewItems(stranger, { queueId, filter: { experimentId } }))).toBe('NOT_FOUND');
    const { id: own } = await queueOf({ perItem: 1 });
    await addReviewItems(ada, { queueId: own, filter: { experimentId, limit: 1 } });
    await review(one(), own, up);
    const scored = await database.ctx.db.query<{ ofExperiment: boolean }[]>(
      `select of_experiment as "ofExperiment" from run_scores where source = 'review' and of_experiment`,
    );
    expect(scored).toHaveLength(1);
  });

  it('makes cases of corrected answers in one step', async () => {
    const [runId = '', other = ''] = await someRuns(['a', 'b']);
    const { id: queueId } = await queueOf({ perItem: 1 });
    await addReviewItems(ada, { queueId, runIds: [runId, other] });
    const { item } = await readNextReview(one(), { queueId });
    await giveReview(one(), { queueId, itemId: item?.id ?? '', ...down, corrected: 'right' });
    await review(one(), queueId, up);
    const { id: datasetId } = await createDataset(ada, { name: `d${(count += 1)}` });
    expect(await addCasesFromReviews(ada, { queueId, datasetId, tags: ['reviewed'] })).toMatchObject({ added: 1 });
    const { items } = await listCases(ada, { datasetId }, { limit: 10 });
    expect(items).toMatchObject([
      {
        key: expect.stringMatching(`^(${runId}|${other})$`),
        params: item?.params,
        expected: 'right',
        tags: ['reviewed'],
      },
    ]);
  });
});

describe('agreement', () => {
  it('of people and of a judge is counted, and says where the judge fails', async () => {
    const runs = await someRuns(['a', 'b', 'c', 'd']);
    const { id: queueId } = await queueOf({ compareWith: 'polite' });
    await addReviewItems(ada, { queueId, runIds: runs });
    expect(await readReviewAgreement(ada, queueId)).toMatchObject({
      items: 4,
      reviews: 0,
      alpha: null,
      judge: { items: 0, sameVerdict: null },
    });
    const good = new Set(['a', 'b']);
    for (const ctx of [one(), two()]) {
      for (const _ of runs) {
        const { item } = await readNextReview(ctx, { queueId });
        const { id: itemId = '', params = {} } = item ?? {};
        const thumb = good.has(String(params['Word'])) ? 'up' : 'down';
        await giveReview(ctx, { queueId, itemId, thumb });
      }
    }
    for (const [at, score] of [0.9, 0.1, 0.2, 0.8].entries())
      await setRunScore(ada, { runId: runs[at] ?? '', name: 'polite', score });
    const found = await readReviewAgreement(ada, queueId);
    expect(found).toMatchObject({
      ...{ items: 4, done: 4, tied: 0, reviews: 8, alpha: 1 },
      judge: { name: 'polite', items: 4, sameVerdict: 0.5, bias: expect.closeTo(0) },
    });
    expect(
      found.judge?.disagreements
        .map(({ runId }) => runId)
        .slice(0, 2)
        .sort(),
    ).toEqual([runs[1], runs[3]].sort());
    expect(found.judge?.alpha).toBeLessThan(0.3);
  });

  it("is Krippendorff's alpha", () => {
    // The example of the author with two raters and ten units, of nominal data with two values.
    const first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
    const second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0];
    expect(krippendorffAlpha(first.map((score, at) => [score, second[at] ?? 0]))).toBeCloseTo(0.095, 3);
    expect(
      krippendorffAlpha([
        [1, 1],
        [0, 0],
      ]),
    ).toBe(1);
    expect(
      krippendorffAlpha([
        [1, 0],
        [0, 1],
      ]),
    ).toBeLessThan(0);
    expect(
      krippendorffAlpha([
        [1, 1],
        [1, 1],
      ]),
    ).toBeNull();
    expect(krippendorffAlpha([[1], [0]])).toBeNull();
  });
});
