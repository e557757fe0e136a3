import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, DomainError, newId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { getLens, setLensLabel, updateLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { endedRuns } from '../../test/ended-runs.js';
import { readReleaseStatistics, readScoreStatistics, watchLabels } from '../index.js';
import { type Moments, addMoments, compareMoments, estimateMoments, noMoments } from '../statistics/moments.js';

let database: TestDatabase;
let ada: Context;
beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 5 });
  ada = actingAs(database.ctx, (await anAccount(database.ctx)).id);
});
afterAll(() => database.close());

const label = 'production';
const hourMs = 3_600_000;

async function aLensWithTwo(): Promise<{ lensId: string; first: string; second: string }> {
  const { id: lensId } = await aLens(ada, { templateBody: 'Greet [[Name]] once, for tests of scores' });
  const { id: second } = await updateLens(ada, { lensId, templateBody: 'Greet [[Name]] twice, for tests of scores' });
  const { versionId: first } = await setLensLabel(ada, { lensId, label, version: '1.0.0' });
  return { lensId, first, second };
}

interface Scored {
  lensId: string;
  versionId: string;
  scores: readonly (number | null)[];
  agoMs?: number;
  name?: string;
  ofExperiment?: boolean;
}

/** Gives new runs of a label scores that are so old; null is one that could not be made. */
const scored = ({ lensId, versionId, scores, agoMs = 60_000, name = 'polite', ofExperiment = false }: Scored) =>
  database.ctx.db.query(
    `insert into run_scores (run_id, id, account_id, target_id, version_id, label, name, source, of_experiment, score, error, created_at)
     select uuidv7(), uuidv7(), $1, $2, $3, $4, $5, 'rule', $6, s, case when s is null then 'no answer' end,
            now() - $7 * interval '1 ms' + n * interval '10 us'
       from unnest($8::float8[]) with ordinality as x(s, n)`,
    [ada.actor.accountId, lensId, versionId, label, name, ofExperiment, agoMs, scores],
  );

const many = (count: number, score: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => score(at));
const momentsOf = (scores: readonly number[]): Moments =>
  scores.map((score) => ({ count: 1, sum: score, squares: score * score })).reduce(addMoments, noMoments);

describe('statistics of scores', () => {
  it('show means with intervals over time, and a drift of the last quarter', async () => {
    const { lensId, first } = await aLensWithTwo();
    await scored({ lensId, versionId: first, scores: many(200, (at) => (at % 10 === 0 ? 0 : 1)), agoMs: 7 * hourMs });
    await scored({ lensId, versionId: first, scores: many(200, (at) => (at % 2 === 0 ? 0 : 1)), agoMs: hourMs });
    await scored({ lensId, versionId: first, scores: [null, null], agoMs: hourMs });
    await scored({ lensId, versionId: first, scores: many(50, () => 0), agoMs: hourMs, ofExperiment: true });
    await scored({ lensId, versionId: first, scores: [0.5], agoMs: hourMs, name: 'other' });
    const from = new Date(Date.now() - 8 * hourMs).toISOString();
    const found = await readScoreStatistics(ada, { lensId, from, interval: 'hour' });
    const [other, polite] = found.series;
    expect(other).toMatchObject({ name: 'other', scores: 1, drift: { result: 'too_few_scores' } });
    expect(polite).toMatchObject({
      ...{ name: 'polite', scores: 400, errors: 2 },
      mean: { mean: 0.7, low: expect.closeTo(0.653, 2), high: expect.closeTo(0.743, 2) },
      drift: { difference: expect.closeTo(-0.4), low: expect.closeTo(-0.481, 2), result: 'lower' },
    });
    expect(polite?.buckets.map(({ scores, mean }) => [scores, mean.mean])).toEqual([
      [200, expect.closeTo(0.9)],
      [200, expect.closeTo(0.5)],
    ]);
    const named = await readScoreStatistics(ada, { lensId, from, interval: 'hour', name: 'other' });
    expect(named.series.map(({ name }) => name)).toEqual(['other']);
    const unlabelled = await readScoreStatistics(ada, { lensId, from, interval: 'hour', label: 'beta' });
    expect(unlabelled.series).toEqual([]);
  });

  it('are refused without a target and for ranges with too many parts, and have no scores of others', async () => {
    const { lensId, first } = await aLensWithTwo();
    await scored({ lensId, versionId: first, scores: [1] });
    const eve = actingAs(database.ctx, (await anAccount(database.ctx)).id);
    const refusal = (work: Promise<unknown>): Promise<unknown> =>
      work.catch((reason: unknown) => (reason instanceof DomainError ? reason.code : reason));
    expect(await refusal(readScoreStatistics(ada, { interval: 'day' }))).toBe('BAD_INPUT');
    const long = { lensId, from: '2020-01-01T00:00:00Z', interval: 'minute' } as const;
    expect(await refusal(readScoreStatistics(ada, long))).toBe('BAD_INPUT');
    expect(await refusal(readScoreStatistics(ada, { lensId: newId(), interval: 'day' }))).toBe('NOT_FOUND');
    expect(await readScoreStatistics(eve, { lensId, interval: 'day' })).toMatchObject({ series: [] });
  });

  it('compare versions with each other beside their runs', async () => {
    const { lensId, first, second } = await aLensWithTwo();
    const runs = { lensId, label, failEach: 0, credits: 1, ms: 10 };
    await endedRuns(ada, { ...runs, versionId: first, count: 30 });
    await endedRuns(ada, { ...runs, versionId: second, count: 20 });
    await scored({ lensId, versionId: first, scores: many(200, (at) => (at % 4 === 0 ? 0.2 : 0.9)) });
    await scored({ lensId, versionId: second, scores: many(200, () => 0.2) });
    // Ids of many rows in one statement are some milliseconds ahead.
    const to = new Date(Date.now() + 60_000).toISOString();
    const { groups } = await readReleaseStatistics(ada, { lensId, by: 'version', to });
    expect(groups).toMatchObject([
      {
        version: '1.0.0',
        scores: [{ name: 'polite', scores: 200, mean: { mean: expect.closeTo(0.725) }, comparison: null }],
      },
      {
        version: '1.0.1',
        scores: [{ scores: 200, comparison: { result: 'lower', difference: expect.closeTo(-0.525) } }],
      },
    ]);
    const byLabel = await readReleaseStatistics(ada, { lensId, by: 'label', to });
    expect(byLabel.groups).toMatchObject([{ label, scores: [{ scores: 400 }] }]);
  });
});

describe('moments', () => {
  it('give the intervals of the values themselves', () => {
    const scores = many(60, (at) => ((at * 37) % 100) / 100);
    const { mean, low, high } = estimateMoments(momentsOf(scores));
    expect(mean).toBeCloseTo(scores.reduce((sum, each) => sum + each, 0) / 60);
    expect(high - mean).toBeCloseTo(mean - low);
    expect(estimateMoments(noMoments)).toEqual({ mean: 0, low: 0, high: 1 });
    expect(estimateMoments(momentsOf([1, 1, 1])).low).toBeLessThan(0.5);
  });

  it('say higher, lower, alike or too few', () => {
    const [low, high] = [many(50, (at) => (at % 3 === 0 ? 0.5 : 0.3)), many(50, (at) => (at % 3 === 0 ? 0.9 : 0.7))];
    const results = (one: number[], other: number[]): string => compareMoments(momentsOf(one), momentsOf(other)).result;
    expect([results(high, low), results(low, high), results(low, low)]).toEqual(['higher', 'lower', 'alike']);
    expect(results(low.slice(0, 10), high)).toBe('too_few_scores');
    expect(
      results(
        many(30, (at) => at % 2),
        many(30, (at) => at % 2),
      ),
    ).toBe('too_few_scores');
  });
});

describe('a label with a bound of its scores', () => {
  const look = async (): Promise<string[]> => {
    await database.ctx.db.query(
      `update label_watches set since = since - interval '1 hour', looked_at = looked_at - interval '1 hour'
        where state is null and ended_at is null`,
    );
    return (await watchLabels({ ...database.ctx, actor: platformActor }, 0)).map(({ ownerId }) => ownerId);
  };
  const bounds = { score: { name: 'polite', min: 0.8 } };
  const promoted = async () => {
    const found = await aLensWithTwo();
    await setLensLabel(ada, { lensId: found.lensId, label, version: '1.0.1', bounds });
    return found;
  };

  it('returns when the mean is lower, and says so', async () => {
    const { lensId, second } = await promoted();
    await scored({ lensId, versionId: second, scores: many(150, (at) => (at % 2 === 0 ? 0.4 : 0.7)) });
    expect(await look()).toContain(lensId);
    const place = (await getLens(ada, lensId)).labels.find((each) => each.label === label);
    expect(place).toMatchObject({
      semver: '1.0.0',
      returned: { automatic: true, reason: 'the mean of 150 scores polite is 0.55: less than 0.8' },
    });
  });

  it('stays with good scores, few ones, those of other names and versions, and those of earlier runs', async () => {
    const [good, few, named, before, tried] = [
      await promoted(),
      await promoted(),
      await promoted(),
      await promoted(),
      await promoted(),
    ];
    await scored({
      lensId: good.lensId,
      versionId: good.second,
      scores: many(500, (at) => (at % 5 === 0 ? 0.5 : 0.9)),
    });
    await scored({ lensId: few.lensId, versionId: few.second, scores: many(90, () => 0) });
    await scored({ lensId: named.lensId, versionId: named.second, scores: many(300, () => 0), name: newId() });
    await scored({ lensId: before.lensId, versionId: before.first, scores: many(300, () => 0) });
    await scored({ lensId: tried.lensId, versionId: tried.second, scores: many(300, () => 0), ofExperiment: true });
    expect(await look()).toEqual([]);
  });
});
