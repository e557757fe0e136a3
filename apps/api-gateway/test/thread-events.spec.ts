import { newId } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { type EventStream, type StreamRefused, readEvents, until } from '@lensforge/testing';
import { aMessage, aThread } from '@lensforge/threads/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestCaller, aCaller, aCommunityOf, callerOf, outcome } from './callers.js';
import { type Frame, framesOf } from './gateway.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let otherUrl: string;
let ada: TestCaller;
let eve: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_CREATE_PER_MINUTE: '100000' });
  otherUrl = await gateway.replica();
  [ada, eve] = [await aCaller(gateway), await aCaller(gateway)];
});
afterAll(() => gateway.stop());

const ctxOf = ({ accountId }: TestCaller) => actingAs(gateway.ctx, accountId);
const aPublicThread = async () => (await aThread(ctxOf(ada))).id;
const post = async (by: TestCaller, threadId: string, text: string): Promise<string> => {
  const { status, body } = await by.post(`/v1/threads/${threadId}/messages`, { text });
  expect(status).toBe(201);
  return String(body.data?.['id']);
};
const follow = (by: TestCaller, threadId: string, lastEventId?: string, url = gateway.url): EventStream =>
  readEvents(`${url}/v1/threads/${threadId}/events`, {
    headers: { authorization: `Bearer ${by.token}` },
    ...(lastEventId !== undefined && { lastEventId }),
  });
const textOf = ({ data }: Frame) => (data.payload['message'] as { text: string | null } | undefined)?.text;
const inWords = (frames: readonly Frame[]): string[] =>
  frames.map((frame) =>
    `${frame.id} ${frame.event} ${textOf(frame) ?? (frame.data.payload['status'] as string)}`.trim(),
  );

describe('GET /v1/threads/{threadId}/events', () => {
  it('streams messages as they are posted, at every gateway, and ends with the closing', async () => {
    const id = await aPublicThread();
    const first = await post(ada, id, 'one');
    const streams = [follow(ada, id), follow(eve, id, undefined, otherUrl)];
    const reading = streams.map((stream) => framesOf(stream));
    await Promise.all(streams.map((stream) => until(() => stream.text.includes('"one"'))));
    await post(eve, id, 'two');
    await ada.patch(`/v1/threads/${id}/messages/${first}`, { text: 'one, edited' });
    await ada.patch(`/v1/threads/${id}`, { status: 'closed' });
    for (const frames of await Promise.all(reading)) {
      expect(inWords(frames)).toEqual([
        '1 message.posted one',
        '2 message.posted two',
        '3 message.edited one, edited',
        '4 thread.updated closed',
        '4 done closed',
      ]);
      expect(frames[1]?.data).toEqual({
        eventType: 'message.posted',
        payload: { message: expect.objectContaining({ threadId: id, position: 2, version: 1 }) },
        occurredAt: expect.any(String),
        threadId: id,
        sequence: 2,
      });
    }
  });

  it('goes on after Last-Event-ID without a gap, while many post and the stream is lost again and again', async () => {
    const id = await aPublicThread();
    const people = await Promise.all(Array.from({ length: 4 }, () => aCaller(gateway)));
    const posting = Promise.all(
      people.map(async (by, n) => {
        for (let m = 0; m < 15; m += 1) await post(by, id, `${n}-${m}`);
      }),
    );
    const seen: Frame[] = [];
    for (let round = 0; seen.length < 60; round += 1) {
      const wanted = seen.length + 7;
      const stream = follow(eve, id, String(seen.at(-1)?.id ?? 0), round % 2 ? otherUrl : gateway.url);
      await framesOf(stream, (frame) => seen.push(frame) >= Math.min(wanted, 60));
      stream.close();
    }
    await posting;
    expect(seen.map(({ data }) => data.sequence)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    expect(new Set(seen.map(textOf)).size).toBe(60);
  });

  it('answers 204 when a closed thread has no more events, and goes on when it was reopened', async () => {
    const id = await aPublicThread();
    await post(ada, id, 'one');
    await ada.patch(`/v1/threads/${id}`, { status: 'closed' });
    const refused = await framesOf(follow(ada, id, '2')).catch((reason: unknown) => reason);
    expect((refused as StreamRefused).status).toBe(204);
    await ada.patch(`/v1/threads/${id}`, { status: 'open' });
    const stream = follow(ada, id, '2');
    const reading = framesOf(stream);
    await until(() => stream.text.includes('"open"'));
    await post(eve, id, 'again');
    await ada.patch(`/v1/threads/${id}`, { status: 'closed' });
    expect(inWords(await reading)).toEqual([
      '3 thread.updated open',
      '4 message.posted again',
      '5 thread.updated closed',
      '5 done closed',
    ]);
  });

  it('sends events that no gateway has published', async () => {
    const id = await aPublicThread();
    await post(ada, id, 'one');
    const stream = follow(ada, id);
    const reading = framesOf(stream, ({ event }) => event === 'thread.updated');
    await until(() => stream.text.includes('"one"'));
    await gateway.ctx.db.query(
      `with moved as (update threads set last_sequence = 2 where id = $1)
       insert into thread_events (thread_id, sequence, type, payload)
       values ($1, 2, 'thread.updated', '{"title": "x", "status": "open"}')`,
      [id],
    );
    expect(inWords(await reading)).toEqual(['1 message.posted one', '2 thread.updated open']);
    stream.close();
  });

  it('repeats no text that was deleted or hidden since', async () => {
    const id = await aPublicThread();
    const [deleted, hidden] = [await post(eve, id, 'secret one'), await post(eve, id, 'secret two')];
    await eve.remove(`/v1/threads/${id}/messages/${deleted}`);
    await ada.post(`/v1/threads/${id}/messages/${hidden}/hide`, {});
    const stream = follow(ada, id);
    const frames = await framesOf(stream, ({ event }) => event === 'message.hidden');
    stream.close();
    expect(frames.map(({ event }) => event)).toEqual([
      'message.posted',
      'message.posted',
      'message.deleted',
      'message.hidden',
    ]);
    expect(stream.text).not.toContain('secret');
  });

  it('closes the stream of a caller who may no longer see the thread', async () => {
    const owner = await aCaller(gateway);
    const subjectId = await aCommunityOf(owner, { members: { member: [eve, ada] } });
    const { id } = await aThread(ctxOf(ada), { subjectType: 'community', subjectId });
    await aMessage(ctxOf(ada), { id }, { text: 'before' });
    const [lost, kept] = [follow(eve, id), follow(ada, id)];
    const reading = framesOf(lost).catch(() => 'cut');
    const staying = framesOf(kept, (frame) => textOf(frame) === 'after');
    await Promise.all([lost, kept].map((stream) => until(() => stream.text.includes('before'))));
    await owner.remove(`/v1/communities/${subjectId}/members/${eve.accountId}`);
    await reading;
    await post(ada, id, 'after');
    await staying;
    kept.close();
    expect(lost.text).not.toContain('after');
    const again = await framesOf(follow(eve, id)).catch((reason: unknown) => reason);
    expect((again as StreamRefused).status).toBe(404);
  });

  it('answers 401, 403 and 404 before any byte of a stream', async () => {
    const { id } = await aThread(ctxOf(ada), { visibility: 'private' });
    const path = `/v1/threads/${id}/events`;
    expect((await gateway.call('GET', path, { token: '' })).status).toBe(401);
    const { value: token } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    expect(outcome(await callerOf(gateway, { token }).get(path))).toEqual([403, 'insufficient_scope']);
    for (const hidden of [path, `/v1/threads/${newId()}/events`]) {
      expect(outcome(await eve.get(hidden))).toEqual([404, 'not_found']);
    }
  });
});
