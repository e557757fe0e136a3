import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { anAccount, anAiLenser } from '@lensforge/identity/testing';
import { type ThreadFixture, idOf, later, outcomeOf, threadFixture } from '../../test/thread-fixture.js';
import {
  deleteMessage,
  editMessage,
  listMessages,
  postMessage,
  readMessage,
  readThread,
  readThreadEvents,
  updateThread,
} from '../index.js';
import { aMessage, aThread } from '../testing.js';
import { handlesIn } from './mentions.js';

let fixture: ThreadFixture;
let ada: Context;
let eve: Context;
beforeAll(async () => {
  fixture = await threadFixture();
  [ada, eve] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const eventsOf = async (threadId: string) =>
  (await readThreadEvents(ada, threadId, 0, 1000)).map(({ sequence, eventType }) => `${sequence} ${eventType}`);

describe('postMessage', () => {
  it('stores Markdown as it is, numbers messages without gaps and counts them', async () => {
    const thread = await aThread(ada);
    const text = '  <script>alert(1)</script>\n\n[x](javascript:alert(1)) \u{1F600}\n';
    const message = await aMessage(eve, thread, { text });
    expect(message).toMatchObject({
      threadId: thread.id,
      position: 1,
      parentId: null,
      author: { id: idOf(eve), kind: 'human' },
      status: 'visible',
      text,
      version: 1,
      mentions: [],
      editedAt: null,
    });
    await Promise.all(Array.from({ length: 8 }, (_, n) => aMessage(n % 2 ? ada : eve, thread)));
    const { items } = await listMessages(ada, { threadId: thread.id, limit: 100 });
    expect(items.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await readThread(ada, thread.id)).toMatchObject({ messageCount: 9, lastMessageAt: expect.any(String) });
    expect(await eventsOf(thread.id)).toEqual(items.map(({ position }) => `${position} message.posted`));
  });

  it('takes replies one level deep, to messages of the same thread', async () => {
    const thread = await aThread(ada);
    const other = await aMessage(ada, await aThread(ada));
    const parent = await aMessage(ada, thread);
    const reply = await aMessage(eve, thread, { parentId: parent.id.toUpperCase() });
    expect(reply.parentId).toBe(parent.id);
    for (const parentId of [reply.id, other.id, newId()]) {
      await expect(aMessage(eve, thread, { parentId })).rejects.toMatchObject({
        details: { issues: [{ path: 'parentId' }] },
      });
    }
    const { items } = await listMessages(ada, { threadId: thread.id, parentId: parent.id, limit: 10 });
    expect(items.map(({ id }) => id)).toEqual([reply.id]);
  });

  it('is refused in a closed thread, in one that the caller cannot see, and to anonymous callers', async () => {
    const thread = await aThread(ada);
    await updateThread(ada, { threadId: thread.id, status: 'closed' });
    await expect(aMessage(ada, thread)).rejects.toMatchObject({ code: 'CONFLICT', details: { status: 'closed' } });
    expect(await outcomeOf(aMessage(eve, await aThread(ada, { visibility: 'private' })))).toBe('NOT_FOUND');
    expect(await outcomeOf(aMessage(fixture.anonymous, await aThread(ada)))).toBe('FORBIDDEN');
  });

  it('is refused beyond the largest number of messages', async () => {
    const thread = await aThread(ada);
    await ada.db.query('update threads set message_count = 9999 where id = $1', [thread.id]);
    expect(await aMessage(ada, thread)).toMatchObject({ position: 10_000 });
    expect(await outcomeOf(aMessage(ada, thread))).toBe('CONFLICT');
  });

  it('resolves handles of people and AI lensers, but not of communities', async () => {
    const { handle: person, id } = await anAccount(fixture.ctx);
    const { handle: ai } = await anAiLenser(ada);
    const { handle: community } = await anAccount(fixture.ctx, { kind: 'community' });
    const text = `(@${person}), **@${ai.toUpperCase()}**- @${community} @nobody-at-all @${person}_`;
    const { mentions } = await aMessage(eve, await aThread(ada), { text });
    expect(mentions).toEqual([
      { id, handle: person, displayName: expect.any(String), kind: 'human' },
      { id: expect.any(String), handle: ai, displayName: expect.any(String), kind: 'ai' },
    ]);
  });
});

describe('handlesIn', () => {
  it.each([
    ['@ada and @ben, @ada!', ['ada', 'ben']],
    ['mail ada@example.org or see https://example.org/@ada', []],
    ['@lensforge/core is a package', []],
    ['`@ada` and ``x ` @ben`` and @cleo', ['ben', 'cleo']],
    ['```\n@ada\n```\n@ben\n~~~ js\n@cleo', ['ben']],
    ['> @ada wrote\n- @ben', ['ada', 'ben']],
    ['@ab @Ada-Lovelace', ['ada-lovelace']],
    [Array.from({ length: 30 }, (_, n) => `@user${n}`).join(' '), Array.from({ length: 20 }, (_, n) => `user${n}`)],
  ])('finds the mentions of %j', (text, expected) => {
    expect(handlesIn(text)).toEqual(expected);
  });
});

describe('editMessage', () => {
  it('replaces the text within 15 minutes and stores the earlier one', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(eve, thread, { text: 'first' });
    const edit = (ctx: Context, text: string) => editMessage(ctx, { threadId: thread.id, messageId, text });
    const { handle } = await anAccount(fixture.ctx);
    expect(await edit(eve, `second for @${handle}`)).toMatchObject({
      text: `second for @${handle}`,
      version: 2,
      mentions: [{ handle }],
      editedAt: expect.any(String),
    });
    await edit(later(eve, 14 * 60_000), 'third');
    expect(await readMessage(ada, { threadId: thread.id, messageId })).toMatchObject({
      text: 'third',
      version: 3,
      history: [
        { version: 1, text: 'first' },
        { version: 2, text: `second for @${handle}` },
      ],
    });
    expect(await eventsOf(thread.id)).toEqual(['1 message.posted', '2 message.edited', '3 message.edited']);
    expect(await edit(eve, 'third')).toMatchObject({ version: 3 });
    expect(await outcomeOf(edit(later(eve, 15 * 60_000 + 1000), 'late'))).toBe('CONFLICT');
    expect(await outcomeOf(edit(ada, 'not mine'))).toBe('FORBIDDEN');
    await updateThread(ada, { threadId: thread.id, status: 'closed' });
    expect(await outcomeOf(edit(eve, 'closed'))).toBe('CONFLICT');
  });

  it('lets one of two edits of the same version win', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(ada, thread, { text: 'first' });
    const edits = ['one', 'other'].map((text) =>
      outcomeOf(editMessage(ada, { threadId: thread.id, messageId, text, version: 1 })),
    );
    expect((await Promise.all(edits)).sort()).toEqual(['CONFLICT', 'done']);
    expect(await readMessage(ada, { threadId: thread.id, messageId })).toMatchObject({
      version: 2,
      history: [{ version: 1, text: 'first' }],
    });
  });

  it('loses none of the texts of concurrent edits without a version', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(ada, thread, { text: '0' });
    await Promise.all(['1', '2', '3'].map((text) => editMessage(ada, { threadId: thread.id, messageId, text })));
    const { version, text, history } = await readMessage(ada, { threadId: thread.id, messageId });
    expect(version).toBe(4);
    expect([...history.map((each) => each.text), text].toSorted()).toEqual(['0', '1', '2', '3']);
    expect(history.map((each) => each.version)).toEqual([1, 2, 3]);
  });

  it('does not revive a message that is deleted at the same time', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(ada, thread, { text: 'secret' });
    const ref = { threadId: thread.id, messageId };
    const [edit] = await Promise.all([
      outcomeOf(editMessage(ada, { ...ref, text: 'secret too' })),
      deleteMessage(ada, ref),
    ]);
    expect(['done', 'CONFLICT']).toContain(edit);
    expect(await readMessage(ada, ref)).toMatchObject({ status: 'deleted', text: null, history: [] });
    const [{ texts }] = await ada.db.query<[{ texts: number }]>(
      'select count(*)::int as texts from thread_message_versions where message_id = $1',
      [messageId],
    );
    expect(texts).toBe(0);
  });
});

describe('deleteMessage', () => {
  it('leaves a tombstone with its replies, deletes every text and changes earlier events', async () => {
    const thread = await aThread(ada);
    const { handle } = await anAccount(fixture.ctx);
    const { id: messageId } = await aMessage(eve, thread, { text: `secret of @${handle}` });
    await editMessage(eve, { threadId: thread.id, messageId, text: 'secret, changed' });
    const reply = await aMessage(ada, thread, { parentId: messageId });
    expect(await outcomeOf(deleteMessage(ada, { threadId: thread.id, messageId }))).toBe('FORBIDDEN');
    const tombstone = await deleteMessage(later(eve, 86_400_000), { threadId: thread.id, messageId });
    expect(tombstone).toMatchObject({ id: messageId, position: 1, status: 'deleted', text: null, mentions: [] });
    expect(await deleteMessage(eve, { threadId: thread.id, messageId })).toEqual(tombstone);
    const { items } = await listMessages(eve, { threadId: thread.id, limit: 10 });
    expect(items).toEqual([tombstone, reply]);
    const events = await readThreadEvents(ada, thread.id, 0, 100);
    expect(events.map(({ eventType }) => eventType)).toEqual([
      'message.posted',
      'message.edited',
      'message.posted',
      'message.deleted',
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
    for (const table of ['thread_messages', 'thread_message_versions', 'thread_events']) {
      const rows = await ada.db.query<{ row: string }[]>(`select t::text as row from ${table} t`);
      expect(rows.filter(({ row }) => row.includes('secret'))).toEqual([]);
    }
  });

  it('at the same time as a reply leaves the reply below a tombstone, or refuses it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const thread = await aThread(ada);
      const { id: messageId } = await aMessage(ada, thread);
      const [reply] = await Promise.all([
        outcomeOf(aMessage(eve, thread, { parentId: messageId })),
        deleteMessage(ada, { threadId: thread.id, messageId }),
      ]);
      expect(['done', 'CONFLICT']).toContain(reply);
      const { items } = await listMessages(ada, { threadId: thread.id, limit: 10 });
      expect(items.map(({ status }) => status)).toEqual(reply === 'done' ? ['deleted', 'visible'] : ['deleted']);
    }
  });

  it('refuses replies and edits afterwards', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(ada, thread);
    await deleteMessage(ada, { threadId: thread.id, messageId });
    await expect(aMessage(ada, thread, { parentId: messageId })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { status: 'deleted' },
    });
    expect(await outcomeOf(editMessage(ada, { threadId: thread.id, messageId, text: 'x' }))).toBe('CONFLICT');
  });

  it('is allowed in a closed thread, and to the owner of the AI lenser that wrote the message', async () => {
    const thread = await aThread(ada);
    const { id: messageId } = await aMessage(eve, thread);
    const { id: agentId } = await anAiLenser(eve);
    const own = { ...eve, actor: { ...eve.actor, accountId: agentId } };
    const { id: ofAgent } = await aMessage(own, thread);
    await updateThread(ada, { threadId: thread.id, status: 'closed' });
    for (const id of [messageId, ofAgent]) {
      expect(await deleteMessage(eve, { threadId: thread.id, messageId: id })).toMatchObject({ status: 'deleted' });
    }
  });
});

describe('listMessages', () => {
  it.each(['oldest', 'newest'] as const)(
    'pages by position, %s first, and new messages shift no page',
    async (order) => {
      const thread = await aThread(ada);
      for (let n = 0; n < 7; n += 1) await aMessage(ada, thread);
      const positions: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await listMessages(eve, { threadId: thread.id, order, limit: 3, cursor });
        positions.push(...page.items.map(({ position }) => position));
        cursor = page.nextCursor;
        if (positions.length === 3) await postMessage(ada, { threadId: thread.id, text: 'Meanwhile' });
      } while (cursor !== undefined);
      expect(positions).toEqual(order === 'oldest' ? [1, 2, 3, 4, 5, 6, 7, 8] : [7, 6, 5, 4, 3, 2, 1]);
      const { items } = await listMessages(eve, { threadId: thread.id, order: 'oldest', limit: 2, offset: 3 });
      expect(items.map(({ position }) => position)).toEqual([4, 5]);
    },
  );

  it('of a thread that the caller cannot see is NOT_FOUND, as is one message of it', async () => {
    const thread = await aThread(ada, { visibility: 'private' });
    const { id: messageId } = await aMessage(ada, thread);
    const ref = { threadId: thread.id, messageId };
    expect(await outcomeOf(listMessages(eve, { threadId: thread.id, limit: 1 }))).toBe('NOT_FOUND');
    expect(await outcomeOf(readMessage(eve, ref))).toBe('NOT_FOUND');
    expect(await outcomeOf(readMessage(ada, { ...ref, threadId: (await aThread(ada)).id }))).toBe('NOT_FOUND');
  });
});
