import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LabelBounds } from '@lensforge/contracts';
import { type Context, DomainError, newId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import {
  deleteLens,
  getLens,
  listLabelMoves,
  removeLensLabel,
  returnLensLabel,
  setLensLabel,
  updateLens,
} from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { LabelWatch } from '@lensforge/releases';
import { type EndedRuns, endedRuns } from '../../test/ended-runs.js';
import { watchLabels } from '../index.js';

let database: TestDatabase;
let platform: Context;
/** A token of a program, a signed-in person of the same account, and another account. */
let ada: Context;
let person: Context;
let eve: Context;
beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 8 });
  platform = { ...database.ctx, actor: platformActor };
  ada = actingAs(database.ctx, (await anAccount(database.ctx)).id);
  person = { ...ada, actor: { ...ada.actor, credential: { kind: 'session', id: 'a' } } };
  eve = actingAs(database.ctx, (await anAccount(database.ctx)).id);
});
afterAll(() => database.close());

const label = 'production';
const worse: LabelBounds = { failures: { worseBy: 0 } };
interface Released {
  lensId: string;
  first: string;
  second: string;
}

/** A lens whose production is at 1.0.0, with a newer text. */
async function aLensWithTwo(): Promise<Released> {
  const { id: lensId } = await aLens(ada, { templateBody: 'Greet [[Name]] once, for tests of bounds' });
  const { id: second } = await updateLens(ada, { lensId, templateBody: 'Greet [[Name]] twice, for tests of bounds' });
  const { versionId: first } = await setLensLabel(ada, { lensId, label, version: '1.0.0' });
  await updateLens(ada, { lensId, defaultLabel: label });
  return { lensId, first, second };
}
const split = (lensId: string, bounds: LabelBounds | null = worse, ctx = ada) =>
  setLensLabel(ctx, { lensId, label, version: '1.0.0', arms: [{ version: '1.0.1', weight: 10 }], bounds });
const promote = (lensId: string, bounds: LabelBounds | null = worse, ctx = ada) =>
  setLensLabel(ctx, { lensId, label, version: '1.0.1', bounds });
const runs = (lensId: string, versionId: string, count: number, more: Partial<EndedRuns> = {}, ctx = ada) =>
  endedRuns(ctx, { lensId, versionId, label, count, failEach: 0, credits: 1, ms: 100, agoMs: 60_000, ...more });

/** Looks at all labels as if they had moved an hour ago. */
async function look(): Promise<string[]> {
  await database.ctx.db.query(
    `update label_watches set since = least(since, now() - interval '1 hour'), looked_at = least(looked_at, now() - interval '1 hour')
      where state is null and ended_at is null`,
  );
  return (await watchLabels(platform, 0)).map(({ ownerId }) => ownerId);
}
const placeOf = async (lensId: string) => (await getLens(ada, lensId)).labels.find((each) => each.label === label);
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (reason: unknown) => (reason instanceof DomainError ? reason.code : reason),
  );

describe('a label with bounds', () => {
  it('loses an arm that fails more often than its version, and says so everywhere', async () => {
    await database.ctx.db.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret) values ($1, $2, 'https://example.com', '{label.returned}', '')`,
      [newId(), ada.actor.accountId],
    );
    const { lensId, first, second } = await aLensWithTwo();
    await split(lensId);
    await runs(lensId, first, 2000, { failEach: 50 });
    await runs(lensId, second, 300, { failEach: 5 });
    expect(await look()).toContain(lensId);
    const reason = expect.stringMatching(
      /^60 of 300 runs failed \(20\.0 %\) against 40 of 2000 \(2\.0 %\): worse by more than 0\.0 %$/,
    );
    const returned = { versionId: second, version: '1.0.1', automatic: true, reason };
    expect(await placeOf(lensId)).toMatchObject({ semver: '1.0.0', arms: null, bounds: worse, returned });
    const [move] = (await listLabelMoves(ada, lensId, { limit: 1 })).items;
    expect(move).toMatchObject({ kind: 'return', credential: 'service_role', reason, arms: null });
    expect(move?.armsBefore).toMatchObject([{ version: '1.0.1', weight: 10 }]);
    const [event] = await database.ctx.db.query<{ data: object }[]>(
      `select payload -> 'data' as data from outbox where payload ->> 'type' = 'label.returned'`,
    );
    expect(event?.data).toMatchObject({ lensId, workflowId: null, label, from: '1.0.1', to: '1.0.0', automatic: true });
    const audited = await database.ctx.db.query<object[]>(
      `select action, d.details from audit_entries left join audit_details d using (account_id, sequence)
        where account_id = $1 order by sequence desc limit 1`,
      [ada.actor.accountId],
    );
    expect(audited).toMatchObject([{ action: 'label.moved', details: { label, move: 'return' } }]);
    expect((await runs(lensId, second, 300, { failEach: 1 }), await look())).not.toContain(lensId);
    await split(lensId);
    expect((await placeOf(lensId))?.returned).toBeNull();
  });

  it('goes back to the version before after a full move', async () => {
    const { lensId, first, second } = await aLensWithTwo();
    await runs(lensId, first, 1000, { failEach: 40, agoMs: 2 * 3_600_000 });
    await promote(lensId);
    await runs(lensId, second, 90, { failEach: 2 });
    expect(await look()).not.toContain(lensId);
    await runs(lensId, second, 60, { failEach: 2, agoMs: 20_000 });
    expect(await look()).toContain(lensId);
    expect(await placeOf(lensId)).toMatchObject({ semver: '1.0.0', returned: { version: '1.0.1', automatic: true } });
    expect((await getLens(ada, lensId)).servedVersion.semver).toBe('1.0.0');
  });

  it.each([
    ['failures', { failures: { max: 0.1 } }, { failEach: 4 }, /^50 of 200 runs failed/],
    ['times', { latencyMs: 500 }, { ms: 900 }, /^200 of 200 runs took longer than 500 ms/],
    ['credits', { credits: 3 }, { credits: 4 }, /^200 of 200 runs cost more than 3 credits/],
  ])('returns by its %s alone', async (_, bounds, bad, reason) => {
    const { lensId, second } = await aLensWithTwo();
    await promote(lensId, bounds);
    await runs(lensId, second, 200, bad);
    expect(await look()).toContain(lensId);
    expect((await placeOf(lensId))?.returned?.reason).toMatch(reason);
  });

  it('stays for an equal version, few runs, canceled ones, and those of other accounts', async () => {
    const { lensId, first, second } = await aLensWithTwo();
    await split(lensId);
    await runs(lensId, first, 900, { failEach: 20 });
    await runs(lensId, second, 400, { failEach: 20 });
    await runs(lensId, second, 400, { failEach: 1 }, eve);
    const few = await aLensWithTwo();
    await split(few.lensId);
    await runs(few.lensId, few.first, 900);
    await runs(few.lensId, few.second, 99, { failEach: 1 });
    const returned = await look();
    for (const each of [lensId, few.lensId]) expect(returned).not.toContain(each);
    expect(await placeOf(lensId)).toMatchObject({ arms: [{ weight: 10 }], returned: null });
    await runs(few.lensId, few.second, 1, { failEach: 1, agoMs: 20_000 });
    await runs(few.lensId, few.first, 1, { agoMs: 20_000 });
    expect(await look()).toContain(few.lensId);
  });

  it('returns once when several workers look, and not when it was moved meanwhile', async () => {
    const { lensId, second } = await aLensWithTwo();
    await promote(lensId, { failures: { max: 0.1 } });
    await runs(lensId, second, 200, { failEach: 1 });
    await look.call(null).then((ids) => expect(ids).toContain(lensId));
    await promote(lensId, { failures: { max: 0.1 } });
    await runs(lensId, second, 200, { failEach: 1, agoMs: 30_000 });
    await database.ctx.db.query(
      `update label_watches set looked_at = now() - interval '50 seconds' where ended_at is null`,
    );
    const both = await Promise.all([watchLabels(platform, 0), watchLabels(platform, 0), watchLabels(platform, 0)]);
    expect(both.flat().filter(({ ownerId }) => ownerId === lensId)).toHaveLength(1);
    const { items } = await listLabelMoves(ada, lensId, { limit: 20 });
    expect(items.filter(({ kind }) => kind === 'return')).toHaveLength(2);
    const again = { lensId, label, from: second, automatic: true };
    expect(await refusal(returnLensLabel(platform, again))).toBe('CONFLICT');
  });

  it('is not watched without bounds or a version to return to, nor after it was removed or its lens deleted', async () => {
    const watches = (ownerId: string) => database.source.manager.countBy(LabelWatch, { ownerId });
    const { lensId } = await aLensWithTwo();
    expect(await watches(lensId)).toBe(0);
    await setLensLabel(ada, { lensId, label, version: '1.0.0', bounds: worse });
    expect(await watches(lensId)).toBe(0);
    await promote(lensId);
    expect(await watches(lensId)).toBe(1);
    await promote(lensId, null);
    expect(await watches(lensId)).toBe(0);
    await promote(lensId);
    await updateLens(ada, { lensId, defaultLabel: null });
    await removeLensLabel(ada, { lensId, label });
    expect(await watches(lensId)).toBe(0);
    const gone = await aLensWithTwo();
    await promote(gone.lensId, { failures: { max: 0 } });
    await runs(gone.lensId, gone.second, 200, { failEach: 1 });
    await deleteLens(ada, gone.lensId);
    expect(await look()).not.toContain(gone.lensId);
    expect(await watches(gone.lensId)).toBe(0);
  });

  it('that is guarded gets its bounds from a person', async () => {
    const { lensId } = await aLensWithTwo();
    await setLensLabel(person, { lensId, label, version: '1.0.0', protected: true, bounds: worse });
    expect(await refusal(setLensLabel(ada, { lensId, label, version: '1.0.0', bounds: null }))).toBe('FORBIDDEN');
    const free = await aLensWithTwo();
    expect(await refusal(setLensLabel(ada, { lensId: free.lensId, label, version: '1.0.0', bounds: worse }))).toBe(
      'accepted',
    );
  });
});
