import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReleaseStatisticsQuery } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { setLensLabel, updateLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { endedRuns } from '../../test/ended-runs.js';
import { readReleaseStatistics } from '../index.js';
import { compareShares } from '../statistics/compare-shares.js';

let database: TestDatabase;
let ada: Context;
let eve: Context;
beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 5 });
  ada = actingAs(database.ctx, (await anAccount(database.ctx)).id);
  eve = actingAs(database.ctx, (await anAccount(database.ctx)).id);
});
afterAll(() => database.close());

const label = 'production';
interface Versions {
  lensId: string;
  first: string;
  second: string;
}

/** A lens with two versions, of which a label gives the second to a part of its callers. */
async function aSplitLens(): Promise<Versions> {
  const { id: lensId } = await aLens(ada, { templateBody: 'Greet [[Name]] once, for tests of groups' });
  const { id: second } = await updateLens(ada, { lensId, templateBody: 'Greet [[Name]] twice, for such tests' });
  const arms = [{ version: '1.0.1', weight: 10 }];
  const { versionId: first } = await setLensLabel(ada, { lensId, label, version: '1.0.0', arms });
  return { lensId, first, second };
}

const read = (ctx: Context, query: Partial<ReleaseStatisticsQuery>) =>
  readReleaseStatistics(ctx, { by: 'arm', ...query });
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (reason: unknown) => (reason instanceof DomainError ? reason.code : reason),
  );

describe('statistics of releases', () => {
  it('count the runs of a lens by arm, label and version, with failures, times and credits', async () => {
    const { lensId, first, second } = await aSplitLens();
    const base = { lensId, label, arm: '1.0.0', versionId: first };
    await endedRuns(ada, { ...base, count: 900, failEach: 50, credits: 4, ms: 200 });
    await endedRuns(ada, { ...base, versionId: second, arm: '1.0.1', count: 100, failEach: 4, credits: 6, ms: 400 });
    await endedRuns(ada, { lensId, versionId: second, count: 20, failEach: 0, credits: 6, ms: 400 });
    const byArm = await read(ada, { lensId });
    expect(byArm).toMatchObject({ by: 'arm', truncated: false });
    expect(byArm.groups).toMatchObject([
      { label, version: '1.0.0', runs: 900, failed: 18, p50Ms: 200, credits: 3600, comparison: null },
      { label, version: '1.0.1', runs: 100, failed: 25, p95Ms: 400, comparison: { result: 'more' } },
      { label: null, version: '1.0.1', runs: 20, failed: 0, comparison: null },
    ]);
    expect(byArm.groups[1]?.failures).toMatchObject({ mean: 0.25, low: expect.closeTo(0.175, 2) });
    expect(byArm.groups[1]?.creditsPerRun.mean).toBe(6);
    expect((await read(ada, { lensId, by: 'version' })).groups).toMatchObject([
      { label: null, version: '1.0.0', runs: 900 },
      { label: null, version: '1.0.1', runs: 120, failed: 25, comparison: { result: 'more' } },
    ]);
    expect((await read(ada, { lensId, by: 'label' })).groups).toMatchObject([
      { label, versionId: null, version: null, runs: 1000, failed: 43 },
      { label: null, versionId: null, version: null, runs: 20 },
    ]);
  });

  it('leave out runs of experiments, of other times and accounts, and say when there are too few', async () => {
    const { lensId, first, second } = await aSplitLens();
    const base = { lensId, label, arm: '1.0.0', versionId: first, credits: 0, ms: 10 };
    await endedRuns(ada, { ...base, count: 30, failEach: 10 });
    await endedRuns(ada, { ...base, versionId: second, arm: '1.0.1', count: 5, failEach: 5 });
    await endedRuns(ada, { ...base, count: 50, failEach: 1, cause: { kind: 'experiment' } });
    await endedRuns(eve, { ...base, count: 50, failEach: 1 });
    expect((await read(ada, { lensId })).groups).toMatchObject([
      { runs: 30, failed: 3 },
      { runs: 5, failed: 1, comparison: { result: 'too_few_runs' } },
    ]);
    expect((await read(ada, { lensId, to: new Date(Date.now() - 3_600_000).toISOString() })).groups).toEqual([]);
  });

  it('are of the runs of the caller alone, and of what it can see', async () => {
    const { lensId } = await aSplitLens();
    expect(await refusal(read(eve, { lensId }))).toBe('accepted');
    await updateLens(ada, { lensId, visibility: 'private' });
    expect(await refusal(read(eve, { lensId }))).toBe('NOT_FOUND');
    expect(await refusal(read(ada, {}))).toBe('BAD_INPUT');
    expect(await refusal(read(ada, { lensId, workflowId: lensId }))).toBe('BAD_INPUT');
    const from = new Date(Date.now() + 3_600_000).toISOString();
    expect(await refusal(read(ada, { lensId, from }))).toBe('BAD_INPUT');
  });
});

describe('shares of failures', () => {
  it('are compared with an interval, or are too few to say', () => {
    const of = (hits: number, count: number) => ({ hits, of: count });
    expect(compareShares(of(56, 70), of(48, 80))).toMatchObject({
      difference: expect.closeTo(0.2, 5),
      low: expect.closeTo(0.0524, 3),
      high: expect.closeTo(0.3339, 3),
      result: 'more',
    });
    expect(compareShares(of(48, 80), of(56, 70)).result).toBe('fewer');
    expect(compareShares(of(50, 1000), of(52, 1000)).result).toBe('alike');
    expect(compareShares(of(2, 40), of(3, 40)).result).toBe('too_few_runs');
    expect(compareShares(of(0, 0), of(3, 40)).result).toBe('too_few_runs');
  });
});
