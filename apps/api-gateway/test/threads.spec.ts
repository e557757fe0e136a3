import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aBattle, aContender } from '@lensforge/battles/testing';
import { newId } from '@lensforge/core';
import { aToken, actingAs, anAiLenser } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, aCommunityOf, callerOf, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let ada: TestCaller;
let eve: TestCaller;
let anonymous: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  [ada, eve] = [await aCaller(gateway), await aCaller(gateway)];
  anonymous = callerOf(gateway, { token: gateway.anonymousToken() });
});
afterAll(() => gateway.stop());

const templateBody = 'Write a short and friendly greeting for [[Name]], if you please.';

async function made(by: TestCaller, path: string, body: object): Promise<string> {
  const answer = await by.post(path, body);
  expect(outcome(answer)).toEqual([201, undefined]);
  return String(answer.body.data?.['id']);
}

const aThread = (by = ada, body: object = { visibility: 'public' }) =>
  made(by, '/v1/threads', { title: 'Hi', ...body });
const aMessage = (by: TestCaller, threadId: string, body: object = {}) =>
  made(by, `/v1/threads/${threadId}/messages`, { text: 'Hello', ...body });

async function tokenWith(scope: 'threads:read' | 'threads:write' | 'lenses:read'): Promise<TestCaller> {
  return callerOf(
    gateway,
    await aToken(gateway.ctx, { accountId: ada.accountId, held: [scope] }).then(({ value }) => ({ token: value })),
  );
}

describe('/v1/threads', () => {
  it('creates a thread about a lens, and lists it to everybody who finds the lens', async () => {
    const subjectId = await made(ada, '/v1/lenses', { title: 'Greeting', templateBody, visibility: 'public' });
    const answer = await eve.post('/v1/threads', { title: 'Tone', subjectType: 'lens', subjectId });
    expect(answer.status).toBe(201);
    const thread = answer.body.data;
    expect(thread).toEqual({
      id: expect.any(String),
      subjectType: 'lens',
      subjectId,
      title: 'Tone',
      visibility: 'subject',
      status: 'open',
      owner: { id: eve.accountId, handle: expect.any(String), displayName: expect.any(String) },
      messageCount: 0,
      createdAt: expect.any(String),
      lastMessageAt: null,
      closedAt: null,
    });
    const query = `?subjectType=lens&subjectId=${subjectId}`;
    for (const by of [ada, eve, anonymous]) expect(items(await by.get(`/v1/threads${query}`))).toEqual([thread]);
    await ada.patch(`/v1/lenses/${subjectId}`, { visibility: 'private' });
    expect(items(await eve.get(`/v1/threads${query}`))).toEqual([]);
    expect(outcome(await eve.get(`/v1/threads/${String(thread?.['id'])}`))).toEqual([404, 'not_found']);
    expect(outcome(await ada.get('/v1/threads?subjectType=lens'))).toEqual([400, 'invalid_request']);
  });

  it('refuses a subject that the caller cannot see, and unknown members', async () => {
    const subjectId = await made(ada, '/v1/lenses', { title: 'Mine', templateBody, visibility: 'private' });
    for (const body of [
      { title: 'x', subjectType: 'lens', subjectId },
      { title: 'x', subjectType: 'run', subjectId: newId() },
      { title: ' ' },
      { title: 'x'.repeat(201) },
      { title: 'x', visibility: 'subject' },
      { title: 'x', visibility: 'secret' },
    ]) {
      expect(outcome(await eve.post('/v1/threads', body))).toEqual([400, 'invalid_request']);
    }
  });

  it('takes threads:read to read and threads:write to write', async () => {
    const [reader, writer, other] = [
      await tokenWith('threads:read'),
      await tokenWith('threads:write'),
      await tokenWith('lenses:read'),
    ];
    const id = await aThread(writer, { visibility: 'private' });
    expect((await reader.get(`/v1/threads/${id}`)).status).toBe(200);
    expect((await writer.get(`/v1/threads/${id}/messages`)).status).toBe(200);
    for (const answer of [
      await reader.post(`/v1/threads/${id}/messages`, { text: 'x' }),
      await reader.get(`/v1/threads/${id}/mutes`),
      await other.get('/v1/threads'),
      await anonymous.post('/v1/threads', { title: 'x' }),
    ]) {
      expect(answer.status).toBe(403);
    }
    expect((await gateway.call('GET', '/v1/threads', { token: '' })).status).toBe(401);
  });

  it('about a run takes the scope that reads the run', async () => {
    const lens = await made(ada, '/v1/lenses', { title: 'x', templateBody, visibility: 'private' });
    const { body } = await ada.post(`/v1/lenses/${lens}/execute`, { params: { Name: 'Ada' } });
    const id = await aThread(ada, { subjectType: 'run', subjectId: String(body.data?.['runId']) });
    expect((await ada.get(`/v1/threads/${id}`)).status).toBe(200);
    const reader = await tokenWith('threads:read');
    expect(outcome(await reader.get(`/v1/threads/${id}`))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await eve.get(`/v1/threads/${id}`))).toEqual([404, 'not_found']);
  });
});

describe('PATCH /v1/threads/{threadId}', () => {
  it('renames and closes for the owner, after which nothing can be posted', async () => {
    const id = await aThread();
    const { body } = await ada.patch(`/v1/threads/${id}`, { title: 'Done', status: 'closed' });
    expect(body.data).toMatchObject({ title: 'Done', status: 'closed', closedAt: expect.any(String) });
    const refused = await eve.post(`/v1/threads/${id}/messages`, { text: 'x' });
    expect(outcome(refused)).toEqual([409, 'conflict']);
    expect(refused.body.error?.details).toEqual({ status: 'closed' });
    expect(outcome(await eve.patch(`/v1/threads/${id}`, { status: 'open' }))).toEqual([403, 'forbidden']);
    expect((await ada.patch(`/v1/threads/${id}`, { status: 'open' })).status).toBe(200);
    await aMessage(eve, id);
  });
});

describe('/v1/threads/{threadId}/messages', () => {
  it('posts, replies, edits and deletes', async () => {
    const id = await aThread();
    const path = `/v1/threads/${id}/messages`;
    const text = '# Hello\n\n<b onclick="x()">*you*</b>\u0007';
    const { body } = await eve.post(path, { text });
    const message = String(body.data?.['id']);
    expect(body.data).toMatchObject({ position: 1, text, version: 1, status: 'visible', author: { kind: 'human' } });
    const reply = await aMessage(ada, id, { parentId: message });
    expect(outcome(await eve.post(path, { text: 'x', parentId: reply }))).toEqual([400, 'invalid_request']);
    expect((await eve.patch(`${path}/${message}`, { text: 'Better', version: 1 })).body.data).toMatchObject({
      text: 'Better',
      version: 2,
    });
    expect(outcome(await eve.patch(`${path}/${message}`, { text: 'Worse', version: 1 }))).toEqual([409, 'conflict']);
    expect(outcome(await ada.patch(`${path}/${message}`, { text: 'Mine' }))).toEqual([403, 'forbidden']);
    expect(outcome(await ada.remove(`${path}/${message}`))).toEqual([403, 'forbidden']);
    expect((await anonymous.get(`${path}/${message}`)).body.data).toMatchObject({ history: [{ version: 1, text }] });
    expect((await eve.remove(`${path}/${message}`)).body.data).toMatchObject({ status: 'deleted', text: null });
    expect(outcome(await eve.patch(`${path}/${message}`, { text: 'Back' }))).toEqual([409, 'conflict']);
    expect(items(await ada.get(`${path}?order=newest`)).map((each) => [each['id'], each['status']])).toEqual([
      [reply, 'visible'],
      [message, 'deleted'],
    ]);
    expect(outcome(await ada.get(`${path}/${newId()}`))).toEqual([404, 'not_found']);
  });

  it('takes 16,000 characters of any script, and not one more', async () => {
    const path = `/v1/threads/${await aThread()}/messages`;
    for (const one of ['x', 'é', '\u{1F600}']) {
      expect((await ada.post(path, { text: one.repeat(16_000) })).status).toBe(201);
      expect(outcome(await ada.post(path, { text: one.repeat(16_001) }))).toEqual([400, 'invalid_request']);
    }
    for (const text of ['', ' \n', 'a\u0000b']) {
      expect(outcome(await ada.post(path, { text }))).toEqual([400, 'invalid_request']);
    }
    const raw = `{"text":"${'\\ud83d\\ude00'.repeat(16_000)}"}`;
    expect((await gateway.call('POST', path, { token: ada.token, body: raw })).status).toBe(201);
  });

  it('hides the run and the reasons of an answer from others than the owner of the AI lenser', async () => {
    const agent = await anAiLenser(actingAs(gateway.ctx, ada.accountId));
    const id = await aThread();
    const message = await aMessage(eve, id, { text: `@${agent.handle}?` });
    const { body } = await eve.get(`/v1/threads/${id}/messages/${message}`);
    expect(body.data).toMatchObject({
      mentions: [{ id: agent.id, kind: 'ai' }],
      answers: [{ agent: { id: agent.id }, status: 'waiting', messageId: null, runId: null, reason: null }],
    });
  });
});

describe('moderation', () => {
  it('hides messages and mutes members for the owner of the thread', async () => {
    const id = await aThread();
    const message = await aMessage(eve, id, { text: 'rude' });
    const hide = `/v1/threads/${id}/messages/${message}/hide`;
    const mute = `/v1/threads/${id}/mutes/${eve.accountId}`;
    for (const answer of [await eve.post(hide, {}), await eve.put(mute), await eve.get(`/v1/threads/${id}/mutes`)]) {
      expect(outcome(answer)).toEqual([403, 'forbidden']);
    }
    expect((await ada.post(hide, {})).body.data).toMatchObject({ status: 'hidden', text: 'rude' });
    expect(JSON.stringify((await anonymous.get(`/v1/threads/${id}/messages`)).body)).not.toContain('rude');
    expect((await ada.post(hide, { hidden: false })).body.data).toMatchObject({ status: 'visible' });
    expect((await ada.put(mute)).body.data).toMatchObject({ account: { id: eve.accountId }, mutedBy: ada.accountId });
    expect(outcome(await eve.post(`/v1/threads/${id}/messages`, { text: 'x' }))).toEqual([403, 'forbidden']);
    expect((await eve.get(`/v1/threads/${id}/messages`)).status).toBe(200);
    expect(items(await ada.get(`/v1/threads/${id}/mutes`))).toHaveLength(1);
    expect(outcome(await ada.put(`/v1/threads/${id}/mutes/${newId()}`))).toEqual([404, 'not_found']);
    expect(outcome(await ada.put(`/v1/threads/${id}/mutes/${ada.accountId}`))).toEqual([409, 'conflict']);
    expect((await ada.remove(mute)).body.data).toEqual({ threadId: id, accountId: eve.accountId, muted: false });
    await aMessage(eve, id);
    await eve.remove(`/v1/threads/${id}/messages/${message}`);
    expect(outcome(await ada.post(hide, {}))).toEqual([409, 'conflict']);
  });

  it('of threads about a community is for its admins with a session, and members alone find them', async () => {
    const [owner, admin, member] = [await aCaller(gateway), await aCaller(gateway), await aCaller(gateway)];
    const members = { admin: [admin], member: [member, eve] };
    const subjectId = await aCommunityOf(owner, { members, joinPolicy: 'invite' });
    const id = await aThread(member, { subjectType: 'community', subjectId });
    const message = await aMessage(eve, id);
    const hide = `/v1/threads/${id}/messages/${message}/hide`;
    expect((await admin.post(hide, {})).status).toBe(200);
    const { value: token } = await aToken(gateway.ctx, { accountId: admin.accountId });
    expect(outcome(await callerOf(gateway, { token }).post(hide, {}))).toEqual([403, 'forbidden']);
    for (const stranger of [ada, anonymous]) {
      expect(outcome(await stranger.get(`/v1/threads/${id}`))).toEqual([404, 'not_found']);
    }
    await owner.remove(`/v1/communities/${subjectId}/members/${eve.accountId}`);
    expect(outcome(await eve.remove(`/v1/threads/${id}/messages/${message}`))).toEqual([404, 'not_found']);
  });
});

describe('a thread about a battle before it is closed', () => {
  it('takes no words of participants', async () => {
    const battle = await aBattle(actingAs(gateway.ctx, ada.accountId), { status: 'voting', battleType: 'human_vs_ai' });
    await aContender(gateway.ctx, battle, { lenserAccountId: eve.accountId });
    const about = { subjectType: 'battle', subjectId: battle.id };
    const id = await aThread(await aCaller(gateway), about);
    expect(outcome(await eve.post(`/v1/threads/${id}/messages`, { text: 'x' }))).toEqual([403, 'forbidden']);
    expect(outcome(await eve.post('/v1/threads', { title: 'x', ...about }))).toEqual([403, 'forbidden']);
    expect((await eve.get(`/v1/threads/${id}`)).status).toBe(200);
    await gateway.ctx.db.query(`update battles set status = 'published', closed_at = now() where id = $1`, [battle.id]);
    await aMessage(eve, id);
  });
});
