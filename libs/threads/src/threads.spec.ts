import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aBattle } from '@lensforge/battles/testing';
import type { NewThreadRequest, ThreadSubject } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { aLens } from '@lensforge/lenses/testing';
import { aStoredRun } from '@lensforge/runs/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type ThreadFixture, idOf, outcomeOf, threadFixture } from '../test/thread-fixture.js';
import { createThread, listThreads, readThread, updateThread } from './index.js';
import { aThread } from './testing.js';

let fixture: ThreadFixture;
let ada: Context;
let eve: Context;
beforeAll(async () => {
  fixture = await threadFixture();
  [ada, eve] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const callers = () => ({ ada, eve, anonymous: fixture.anonymous, platform: fixture.platform });

/** The callers who find a thread by its id, and those who find it in the list. */
async function findersOf(id: string, filter: Pick<NewThreadRequest, 'subjectType' | 'subjectId'> = {}) {
  const byId: string[] = [];
  const inList: string[] = [];
  for (const [name, ctx] of Object.entries(callers())) {
    if ((await outcomeOf(readThread(ctx, id))) === 'done') byId.push(name);
    const { items } = await listThreads(ctx, { limit: 100, ...filter });
    if (items.some((each) => each.id === id)) inList.push(name);
  }
  expect(inList).toEqual(byId);
  return byId;
}

describe('a thread without a subject', () => {
  it.each([
    ['private', ['ada', 'platform']],
    ['community', ['ada', 'eve', 'platform']],
    ['public', ['ada', 'eve', 'anonymous', 'platform']],
  ] as const)('that is %s is found by %j', async (visibility, expected) => {
    const { id } = await createThread(ada, { title: 'On its own', visibility });
    expect(await findersOf(id)).toEqual(expected);
  });

  it('is private unless the caller says otherwise, and has no visibility of a subject', async () => {
    expect(await createThread(ada, { title: '  Notes ' })).toMatchObject({
      title: 'Notes',
      visibility: 'private',
      status: 'open',
      subjectType: null,
      owner: { id: idOf(ada) },
      messageCount: 0,
      lastMessageAt: null,
    });
    await expect(createThread(ada, { title: 'x', visibility: 'subject' })).rejects.toMatchObject({
      details: { issues: [{ path: 'visibility' }] },
    });
    expect(await outcomeOf(createThread(fixture.platform, { title: 'x' }))).toBe('MISSING_LENSER');
  });
});

describe('a thread about a subject', () => {
  const lens = async (visibility: 'private' | 'community' | 'public') => (await aLens(ada, { visibility })).id;
  const members = () => fixture.aCommunity([[ada, 'member']]);
  const subjects: [string, ThreadSubject, () => Promise<string>, string[]][] = [
    ['a private lens', 'lens', () => lens('private'), ['ada', 'platform']],
    ['a lens for all accounts', 'lens', () => lens('community'), ['ada', 'eve', 'platform']],
    ['a public lens', 'lens', () => lens('public'), ['ada', 'eve', 'anonymous', 'platform']],
    ['a private workflow', 'workflow', async () => (await aWorkflow(ada)).id, ['ada', 'platform']],
    ['a run', 'run', () => aStoredRun(ada), ['ada', 'platform']],
    ['a draft of a battle', 'battle', async () => (await aBattle(ada)).id, ['ada', 'platform']],
    [
      'a published battle',
      'battle',
      async () => (await aBattle(ada, { status: 'published' })).id,
      ['ada', 'eve', 'anonymous', 'platform'],
    ],
    ['a community', 'community', members, ['ada', 'platform']],
  ];

  it.each(subjects)('%s is found by those who find its subject', async (_, subjectType, make, expected) => {
    const about = { subjectType, subjectId: await make() } as const;
    const thread = await createThread(ada, { title: 'About', ...about });
    expect(thread).toMatchObject({ ...about, visibility: 'subject' });
    expect(await findersOf(thread.id, about)).toEqual(expected);
    const narrowed = await createThread(ada, { title: 'About', ...about, visibility: 'private' });
    expect(await findersOf(narrowed.id, about)).toEqual(['ada', 'platform']);
    const widened = await createThread(ada, { title: 'About', ...about, visibility: 'public' });
    expect(await findersOf(widened.id, about)).toEqual(expected);
    if (!expected.includes('eve')) {
      await expect(createThread(eve, { title: 'x', ...about })).rejects.toMatchObject({
        code: 'BAD_INPUT',
        details: { issues: [{ path: 'subjectId' }] },
      });
    }
  });

  it('is lost with its subject, for its owner too', async () => {
    const subjectId = await lens('public');
    const thread = await createThread(eve, { title: 'x', subjectType: 'lens', subjectId });
    await ada.db.query(`update lenses set visibility = 'private' where id = $1`, [subjectId]);
    expect(await findersOf(thread.id, { subjectType: 'lens', subjectId })).toEqual(['ada', 'platform']);
    await ada.db.query('update lenses set deleted_at = now() where id = $1', [subjectId]);
    expect(await findersOf(thread.id, { subjectType: 'lens', subjectId })).toEqual([]);
  });

  it('takes a type and an id together', async () => {
    for (const half of [{ subjectType: 'lens' } as const, { subjectId: newId() }]) {
      expect(await outcomeOf(createThread(ada, { title: 'x', ...half }))).toBe('BAD_INPUT');
      expect(await outcomeOf(listThreads(ada, { limit: 1, ...half }))).toBe('BAD_INPUT');
    }
  });

  it('is not in the list of threads without a subject', async () => {
    const thread = await createThread(ada, { title: 'x', subjectType: 'lens', subjectId: await lens('public') });
    const { items } = await listThreads(ada, { limit: 100 });
    expect(items.map(({ id }) => id)).not.toContain(thread.id);
  });
});

describe('listThreads', () => {
  it('pages newest first, and threads that are created meanwhile shift no page', async () => {
    const subjectId = (await aLens(ada)).id;
    const about = { subjectType: 'lens', subjectId } as const;
    const made: string[] = [];
    const make = async () => made.unshift((await aThread(ada, about)).id);
    for (let n = 0; n < 5; n += 1) await make();
    const first = await listThreads(ada, { limit: 2, ...about });
    await make();
    const rest = await listThreads(ada, { limit: 10, cursor: first.nextCursor, ...about });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(made.slice(1));
    await updateThread(ada, { threadId: made[0] ?? '', status: 'closed' });
    const listed = async (status: 'open' | 'closed') =>
      (await listThreads(ada, { limit: 10, status, ...about })).items.map(({ id }) => id);
    expect(await listed('closed')).toEqual(made.slice(0, 1));
    expect(await listed('open')).toEqual(made.slice(1));
  });
});

describe('updateThread', () => {
  it('renames, closes and reopens for the owner, and is FORBIDDEN to other readers', async () => {
    const { id: threadId } = await aThread(ada);
    expect(await updateThread(ada, { threadId, title: 'Better' })).toMatchObject({ title: 'Better', status: 'open' });
    const closed = await updateThread(ada, { threadId, status: 'closed' });
    expect(closed).toMatchObject({ status: 'closed', closedAt: expect.any(String) });
    expect(await updateThread(ada, { threadId, status: 'closed' })).toEqual(closed);
    expect(await updateThread(ada, { threadId, status: 'open' })).toMatchObject({ status: 'open', closedAt: null });
    expect(await outcomeOf(updateThread(eve, { threadId, title: 'Mine' }))).toBe('FORBIDDEN');
    const { id: hidden } = await aThread(ada, { visibility: 'private' });
    expect(await outcomeOf(updateThread(eve, { threadId: hidden, title: 'Mine' }))).toBe('NOT_FOUND');
  });

  it('is for the owner of the subject as well, whose closing the owner of the thread cannot undo', async () => {
    const subjectId = (await aLens(ada)).id;
    const { id: threadId } = await createThread(eve, { title: 'x', subjectType: 'lens', subjectId });
    await updateThread(ada, { threadId, status: 'closed' });
    expect(await outcomeOf(updateThread(eve, { threadId, status: 'open' }))).toBe('FORBIDDEN');
    await updateThread(ada, { threadId, status: 'open' });
    await updateThread(eve, { threadId, status: 'closed' });
    await updateThread(eve, { threadId, status: 'open' });
  });
});
