import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, encodeCursor, encodeOffset, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext, fillDatabase } from '@lensforge/testing';
import {
  answerMention,
  createThread,
  deleteMessage,
  editMessage,
  hideMessage,
  listMessages,
  listMutes,
  listThreads,
  muteMember,
  postAnswer,
  postMessage,
  readMessage,
  readThread,
  readThreadEvents,
  readThreadPositions,
  unmuteMember,
  updateThread,
} from '@lensforge/threads';
import type { DataSource } from 'typeorm';
import { indexesOf } from './query-plan-reader.js';

const owner = newId();
const member = newId();
const agent = newId();
const community = newId();
const [threadId, ownThreadId, full] = [newId(), newId(), newId()];
const [messageId, answeredId] = [newId(), newId()];
const runId = newId();

/** 20,000 threads of 1,000 people, a third of them about a community, 200,000 messages and 100,000 events. */
const fill = `
insert into accounts (id, kind, handle, display_name)
  select case i when 1 then '${owner}'::uuid when 2 then '${member}' else uuidv7() end, 'person', 'a-' || i, 'x'
    from generate_series(1, 1000) i;
insert into accounts (id, kind, handle, display_name) values ('${community}', 'community', 'c-1', 'x');
insert into memberships (community_id, account_id, role)
  select '${community}', id, 'member' from accounts where kind = 'person';
insert into accounts (id, kind, handle, display_name, owner_account_id)
  select case when id = '${owner}' then '${agent}'::uuid else uuidv7() end, 'agent', 'ai-' || id, 'x', id
    from accounts where kind = 'person';
insert into ai_lensers (account_id, instructions, policy, updated_at)
  select id, '', '{"actions":{"run_lens":"allow"},"creditsPerDay":null,"runsPerDay":100000}', now() from accounts where kind = 'agent';
insert into agent_tools (agent_id, tool_id, allowed, assigned_at, updated_at)
  select account_id, 'run_lens', true, now(), now() from ai_lensers;
insert into threads (id, account_id, subject_type, subject_id, title, visibility, message_count, last_sequence, created_at)
  select case i when 3 then '${threadId}'::uuid when 4 then '${ownThreadId}' when 5 then '${full}'
              else uuidv7(i * interval '1 second') end,
         case when i in (3, 4) then '${owner}' else a.id end, case when i % 3 = 0 then 'community' end,
         case when i % 3 = 0 then '${community}'::uuid end, 'x',
         case i % 3 when 0 then 'subject' when 1 then 'private' else 'public' end, 10, 10, now()
    from generate_series(1, 20000) i
    join (select id, row_number() over (order by handle) as n from accounts where kind = 'person') a on a.n = 1 + i % 1000;
insert into thread_messages (id, thread_id, position, author_account_id, text, created_at)
  select case when t.id = '${threadId}' and n = 1 then '${messageId}'::uuid
              when t.id = '${threadId}' and n = 2 then '${answeredId}' else uuidv7() end,
         t.id, n, '${owner}', 'x', now()
    from threads t, generate_series(1, 10) n;
update thread_messages set parent_id = '${messageId}' where thread_id = '${threadId}' and position > 5;
insert into thread_message_versions (message_id, version, text, written_at)
  select id, 1, 'x', now() from thread_messages where id <> '${messageId}' limit 20000;
insert into thread_mutes (thread_id, account_id, muted_by, created_at)
  select '${full}', id, '${owner}', now() from accounts limit 1000;
insert into thread_mutes (thread_id, account_id, muted_by, created_at)
  select id, account_id, account_id, now() from threads where id not in ('${full}', '${threadId}', '${ownThreadId}');
insert into thread_events (thread_id, sequence, type, message_id, payload)
  select thread_id, position, 'message.posted', id, '{}' from thread_messages where position <= 5;
insert into runs (id, request_id, account_id, kind, workflow_id, workflow_version_id, status, params, deadline_at, completed_at, cause)
  select case n when 1 then '${runId}'::uuid else uuidv7() end, uuidv7(), '${owner}', 'workflow', uuidv7(), uuidv7(), 'failed', '{}',
         now(), now(), '{"kind": "thread"}' from generate_series(1, 3000) n;
insert into thread_answers (message_id, agent_account_id, thread_id, status, run_id, created_at, started_at)
  select case when r.id = '${runId}' then '${answeredId}'::uuid else m.id end, '${agent}', '${threadId}', 'running', r.id, now(), now()
    from (select id, row_number() over () as n from runs) r
    join (select id, row_number() over () as n from thread_messages where id not in ('${messageId}', '${answeredId}')) m on m.n = r.n;
insert into thread_answers (message_id, agent_account_id, thread_id, status, created_at)
  values ('${messageId}', '${agent}', '${threadId}', 'waiting', now())`;

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
});
afterAll(() => database.close());

const as = (accountId: string, { db }: Context): Context => aContext(db, { credential: 'session', accountId });
const limit = 20;
const cursor = encodeCursor({ at: '2026-11-21T09:30:00Z', id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' });
const about = { subjectType: 'community', subjectId: community } as const;
const ref = { threadId, messageId };

const ofThreads = /^(threads|bitmap) by threads_(pkey|subject|account|listed)$/;
const ofAccounts =
  /^(accounts|ai_lensers|memberships|bitmap) by (accounts|ai_lensers|memberships)_(pkey|handle|account)$/;
const ofMessages = /^(thread_messages|bitmap) by thread_messages_(pkey|position|parent)$/;
const ofVersions = /^(thread_message_versions|bitmap) by thread_message_versions_pkey$/;
const ofMutes = /^(thread_mutes|bitmap) by thread_mutes_pkey$/;
const ofAnswers = /^(thread_answers|runs|bitmap) by (thread_answers_(pkey|run|agent)|runs_pkey)$/;
const ofAgents = /^(agent_(tools|days|runs|events)|bitmap) by agent_(tools|days|runs|events)_\w+$/;
const ofEvents = /^(thread_events|bitmap) by thread_events_pkey$/;
const ofAudit = /^audit_heads by audit_heads_pkey$/;
const ofList = [ofThreads, ofAccounts];
const ofOne = [...ofList, ofMessages, ofVersions, ofMutes, ofAudit];

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['listing threads without a subject', (ctx) => listThreads(as(owner, ctx), { limit }), ofList],
  ['listing more of them', (ctx) => listThreads(as(owner, ctx), { limit, cursor, offset: 40 }), ofList],
  ['listing those about a subject', (ctx) => listThreads(as(owner, ctx), { limit, ...about }), ofList],
  ['listing open ones', (ctx) => listThreads(as(owner, ctx), { limit, cursor, status: 'open', ...about }), ofList],
  ['reading a thread', (ctx) => readThread(as(member, ctx), threadId), ofList],
  ['creating a thread', (ctx) => createThread(as(owner, ctx), { title: 'x', ...about }), ofList],
  ['closing a thread', (ctx) => updateThread(as(owner, ctx), { threadId: ownThreadId, status: 'closed' }), ofOne],
  ['listing messages', (ctx) => listMessages(as(member, ctx), { threadId, limit }), ofOne],
  [
    'listing the newest before a position',
    (ctx) => listMessages(as(member, ctx), { threadId, limit, order: 'newest', cursor: encodeOffset(7) }),
    ofOne,
  ],
  ['listing replies', (ctx) => listMessages(as(member, ctx), { ...ref, parentId: messageId, limit }), ofOne],
  ['reading a message', (ctx) => readMessage(as(owner, ctx), ref), [...ofOne, ofAnswers]],
  [
    'posting a reply with mentions',
    (ctx) => postMessage(as(owner, ctx), { threadId, text: `@a-1 @ai-${owner}`, parentId: messageId }),
    ofOne,
  ],
  ['editing a message', (ctx) => editMessage(as(owner, ctx), { ...ref, text: 'y @a-2' }), ofOne],
  ['hiding a message', (ctx) => hideMessage(as(owner, ctx), { ...ref, hidden: true }), ofOne],
  ['deleting a message', (ctx) => deleteMessage(as(owner, ctx), ref), ofOne],
  ['listing mutes', (ctx) => listMutes(ctx, { threadId: full, limit }), ofOne],
  ['muting an account', (ctx) => muteMember(as(owner, ctx), { threadId, accountId: member }), ofOne],
  ['ending a mute', (ctx) => unmuteMember(as(owner, ctx), { threadId, accountId: member }), ofOne],
  ['reading events', (ctx) => readThreadEvents(ctx, threadId, 2, 10), [...ofOne, ofEvents]],
  ['reading the ends of logs', (ctx) => readThreadPositions(ctx, [threadId, full]), [ofThreads]],
  [
    'answering a mention',
    (ctx) =>
      answerMention(ctx, { messageId, agentId: agent }, { timeoutMs: 1000, promptOf: () => 'Say hello' }).catch(
        () => undefined,
      ),
    [...ofOne, ofAnswers, ofAgents, /^(idempotency_keys|runs|bitmap) by (idempotency_keys_pkey|runs_\w+)$/],
  ],
  ['posting an answer', (ctx) => postAnswer(ctx, runId), [...ofOne, ofAnswers]],
];

describe('a query of threads uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    expect(ways.length).toBeGreaterThan(0);
    for (const way of ways) expect([way, expected.some((one) => one.test(way))]).toEqual([way, true]);
  });
});
