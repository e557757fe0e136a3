import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Context, newId } from '@lensforge/core';
import { actingAs, anAiLenser } from '@lensforge/identity/testing';
import { type ThreadFixture, idOf, outcomeOf, threadFixture } from '../test/thread-fixture.js';
import {
  createThread,
  deleteMessage,
  editMessage,
  hideMessage,
  listMessages,
  listMutes,
  muteMember,
  readMessage,
  readThread,
  readThreadEvents,
  unmuteMember,
  updateThread,
} from './index.js';
import { aMessage, aThread } from './testing.js';

let fixture: ThreadFixture;
let ada: Context;
let eve: Context;
let ben: Context;
beforeAll(async () => {
  fixture = await threadFixture();
  [ada, eve, ben] = [await fixture.aPerson(), await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

describe('hideMessage', () => {
  it('withholds the text from all but the author and moderators, also in events', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(eve, thread, { text: 'rude' });
    const ref = { threadId: thread.id, messageId };
    expect(await hideMessage(ada, { ...ref, hidden: true })).toMatchObject({ status: 'hidden', text: 'rude' });
    const textFor = async (ctx: Context) => {
      const [listed] = (await listMessages(ctx, { threadId: thread.id, limit: 1 })).items;
      const read = await readMessage(ctx, ref);
      expect(read).toMatchObject({ status: 'hidden', text: listed?.text ?? null });
      return listed?.text;
    };
    expect(await Promise.all([ada, eve, ben, fixture.anonymous].map(textFor))).toEqual(['rude', 'rude', null, null]);
    expect(JSON.stringify(await readThreadEvents(ada, thread.id, 0, 10))).not.toContain('rude');
    expect(await outcomeOf(aMessage(ben, thread, { parentId: messageId }))).toBe('CONFLICT');
    expect(await outcomeOf(editMessage(eve, { ...ref, text: 'polite' }))).toBe('CONFLICT');
    expect(await hideMessage(ada, { ...ref, hidden: false })).toMatchObject({ status: 'visible' });
    expect(await textFor(ben).catch(() => 'shown')).toBe('shown');
    const events = await readThreadEvents(ada, thread.id, 0, 10);
    expect(events.map(({ eventType }) => eventType)).toEqual(['message.posted', 'message.hidden', 'message.shown']);
  });

  it('is FORBIDDEN to the author and other readers, and refused for a deleted message', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(eve, thread);
    const ref = { threadId: thread.id, messageId, hidden: true };
    expect(await Promise.all([eve, ben].map((ctx) => outcomeOf(hideMessage(ctx, ref))))).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
    ]);
    await deleteMessage(eve, ref);
    expect(await outcomeOf(hideMessage(ada, ref))).toBe('CONFLICT');
    expect(await outcomeOf(hideMessage(ada, { ...ref, messageId: newId() }))).toBe('NOT_FOUND');
  });
});

describe('muteMember', () => {
  it('takes the words of an account and its AI lensers, but not its reading', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(eve, thread);
    const ref = { threadId: thread.id, accountId: idOf(eve) };
    const mute = await muteMember(ada, { ...ref, accountId: ref.accountId.toUpperCase() });
    expect(mute).toMatchObject({ account: { id: idOf(eve), kind: 'human' }, mutedBy: idOf(ada) });
    expect(await muteMember(ada, ref)).toEqual(mute);
    const agent = { ...eve, actor: { ...eve.actor, accountId: (await anAiLenser(eve)).id } };
    const edit = { threadId: thread.id, messageId, text: 'x' };
    for (const call of [aMessage(eve, thread), aMessage(agent, thread), editMessage(eve, edit)]) {
      expect(await outcomeOf(call)).toBe('FORBIDDEN');
    }
    expect(await readThread(eve, thread.id)).toMatchObject({ messageCount: 1 });
    await aMessage(eve, await aThread(ada));
    expect((await listMutes(ada, { threadId: thread.id, limit: 10 })).items).toEqual([mute]);
    expect(await outcomeOf(listMutes(eve, { threadId: thread.id, limit: 10 }))).toBe('FORBIDDEN');
    await deleteMessage(eve, { threadId: thread.id, messageId });
    expect(await unmuteMember(ada, ref)).toEqual({ ...ref, muted: false });
    expect(await unmuteMember(ada, ref)).toEqual({ ...ref, muted: false });
    await aMessage(eve, thread);
  });

  it('is FORBIDDEN to other readers, and spares moderators', async () => {
    const community = await fixture.aCommunity([
      [ada, 'owner'],
      [ben, 'moderator'],
      [eve, 'member'],
    ]);
    const { id: threadId } = await createThread(eve, { title: 'x', subjectType: 'community', subjectId: community });
    for (const other of [ada, ben, eve]) {
      expect(await outcomeOf(muteMember(eve, { threadId, accountId: idOf(other) }))).toBe('CONFLICT');
    }
    expect(await outcomeOf(muteMember(eve, { threadId, accountId: newId() }))).toBe('NOT_FOUND');
    const { id: other } = await aThread(ada);
    expect(await outcomeOf(muteMember(eve, { threadId: other, accountId: idOf(ben) }))).toBe('FORBIDDEN');
  });
});

describe('a thread about a community', () => {
  it('is moderated by its owners, admins and moderators, with a session, and by tokens of the community', async () => {
    const [owner, admin] = [await fixture.aPerson(), await fixture.aPerson()];
    const communityId = await fixture.aCommunity([
      [owner, 'owner'],
      [admin, 'admin'],
      [ben, 'moderator'],
      [ada, 'member'],
      [eve, 'member'],
    ]);
    const { id: threadId } = await createThread(ada, { title: 'x', subjectType: 'community', subjectId: communityId });
    const { id: messageId } = await aMessage(ada, { id: threadId });
    const hide = (ctx: Context) => outcomeOf(hideMessage(ctx, { threadId, messageId, hidden: true }));
    const organisation = actingAs(fixture.ctx, communityId);
    expect(await Promise.all([owner, admin, ben, organisation, ada].map(hide))).toEqual(Array(5).fill('done'));
    expect(await hide(eve)).toBe('FORBIDDEN');
    expect(await hide(actingAs(fixture.ctx, idOf(admin)))).toBe('FORBIDDEN');
    expect(await hide(await fixture.aPerson())).toBe('NOT_FOUND');
    await updateThread(admin, { threadId, status: 'closed' });
    expect(await outcomeOf(updateThread(ada, { threadId, status: 'open' }))).toBe('FORBIDDEN');
    const { items } = await listAudit(organisation, { accountId: communityId, limit: 10 });
    expect(items.map(({ action }) => action)).toEqual(['thread.closed', 'thread.message_hidden']);
    await ada.db.query('delete from memberships where community_id = $1 and account_id = $2', [
      communityId,
      idOf(admin),
    ]);
    expect(await hide(admin)).toBe('NOT_FOUND');
  });
});
