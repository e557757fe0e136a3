import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { revokeToken } from '@lensforge/identity';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { readEvents as readStoredEvents } from '@lensforge/runs';
import { type EventStream, StreamRefused, readEvents, until } from '@lensforge/testing';
import { type Answer, type Frame, type Gateway, aGateway, framesOf } from './gateway.js';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await aGateway({
    LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000',
    LENSFORGE_STREAMS_PER_ACCOUNT: '40',
    LENSFORGE_STREAMS_PER_READ_TOKEN: '3',
  });
});
afterAll(() => gateway.stop());

async function accepted(): Promise<string> {
  const body = { params: { Name: 'Ada' } };
  const answer = await gateway.call('POST', `/v1/lenses/${gateway.lensId}/execute`, { body });
  return String(answer.body.data?.['runId']);
}

async function ended(texts: readonly string[] = ['a', 'b']): Promise<string> {
  const runId = await accepted();
  const run = await gateway.worker.claim(runId);
  await gateway.worker.write(run, texts);
  await gateway.worker.succeed(run);
  return runId;
}

const types = (frames: readonly Frame[]): string[] => frames.map(({ event }) => event);
const ids = (frames: readonly Frame[]): number[] => frames.map(({ id }) => id);
const wholeRun = ['run.queued', 'run.started', 'node.output.delta', 'node.output.delta', 'run.succeeded', 'done'];

describe('GET /v1/runs/{runId}/events', () => {
  it('replays a finished run with id, event and data lines, sends done and closes', async () => {
    const runId = await ended();
    const stream = gateway.follow(runId);
    const frames = await framesOf(stream);
    expect((await stream.opened).headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    });
    expect(types(frames)).toEqual(wholeRun);
    expect(ids(frames)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const { id, event, data } of frames.slice(0, -1)) {
      expect(data).toEqual({
        eventType: event,
        payload: expect.any(Object),
        occurredAt: expect.any(String),
        runId,
        sequence: id,
      });
    }
    expect(frames.at(-1)?.data).toEqual({
      eventType: 'done',
      payload: { status: 'succeeded' },
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(stream.text).toMatch(/^id: 1\nevent: run\.queued\ndata: \{.*\}\n\n/m);
  });

  it('streams a running run to many readers, each with all events in order', async () => {
    const runId = await accepted();
    const readers = Array.from({ length: 10 }, () => framesOf(gateway.follow(runId)));
    const run = await gateway.worker.claim(runId);
    for (let n = 0; n < 50; n += 1) await gateway.worker.write(run, [`${n}`]);
    readers.push(framesOf(gateway.follow(runId)));
    for (let n = 50; n < 100; n += 1) await gateway.worker.write(run, [`${n}`]);
    await gateway.worker.succeed(run);
    const want = [...Array(104).keys()].map((n) => n + 1);
    for (const frames of await Promise.all(readers)) expect(ids(frames)).toEqual(want);
  });

  it('recovers events that pub/sub lost, repeated or reordered from PostgreSQL', async () => {
    const runId = await accepted();
    const stream = gateway.follow(runId);
    const reading = framesOf(stream);
    await until(() => stream.text.includes('run.queued'));
    const run = await gateway.worker.claim(runId);
    await gateway.worker.write(run, ['lost 1', 'lost 2'], { quietly: true });
    await gateway.worker.write(run, ['heard']);
    const [, started] = await readStoredEvents(gateway.ctx, runId, 0);
    gateway.worker.publish([started as RunEvent, started as RunEvent]);
    await gateway.worker.write(run, ['lost 3'], { quietly: true });
    await gateway.worker.succeed(run, { quietly: true });
    const frames = await reading;
    expect(ids(frames)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(types(frames).at(-1)).toBe('done');
  });

  it('resumes after Last-Event-ID: repeats done after the last event, answers 204 after done', async () => {
    const runId = await ended();
    const after = async (lastEventId: string) => framesOf(gateway.follow(runId, { lastEventId }));
    expect(ids(await after('3'))).toEqual([4, 5, 6]);
    const again = await after('5');
    expect(types(again)).toEqual(['done']);
    expect(ids(again)).toEqual([6]);
    const refused = await after('6').catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(StreamRefused);
    expect((refused as StreamRefused).status).toBe(204);
    expect((refused as StreamRefused).body).toBe('');
  });

  it.each([['-1'], ['abc'], ['1e3'], ['10'.repeat(15)], [''], ['x'.repeat(4000)], ['1; drop'], ['0']])(
    'starts with the first event for the Last-Event-ID %j',
    async (lastEventId) => {
      const frames = await framesOf(gateway.follow(await ended(), { lastEventId }));
      expect(types(frames)).toEqual(wholeRun);
    },
  );

  it('continues with the next events when a running run is resumed beyond its last event', async () => {
    const runId = await accepted();
    const stream = gateway.follow(runId, { lastEventId: '77' });
    const reading = framesOf(stream);
    await stream.opened;
    const run = await gateway.worker.claim(runId);
    await gateway.worker.succeed(run);
    const frames = await reading;
    expect(types(frames)).toEqual(['run.started', 'run.succeeded', 'done']);
    const beyond = await framesOf(gateway.follow(runId, { lastEventId: '77' })).catch((reason: unknown) => reason);
    expect((beyond as StreamRefused).status).toBe(204);
  });

  it('keeps line breaks of an event inside its frame', async () => {
    const nasty = 'x\n\nevent: done\ndata: {}\r\r\n\u2028\u2029id: 9\n\n: ';
    const runId = await ended([nasty, 'after']);
    const frames = await framesOf(gateway.follow(runId));
    expect(types(frames)).toEqual(wholeRun);
    expect(frames[2]?.data.payload).toEqual({ nodeId: 'lens', text: nasty });
  });

  it('replays thousands of large events to a slow reader', async () => {
    const runId = await accepted();
    const run = await gateway.worker.claim(runId);
    for (let n = 0; n < 15; n += 1)
      await gateway.worker.write(
        run,
        Array.from({ length: 100 }, () => 'x'.repeat(10_000)),
      );
    await gateway.worker.succeed(run);
    let seen = 0;
    for await (const { id } of gateway.follow(runId)) {
      seen += 1;
      expect(id).toBe(String(seen));
      if (seen % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(seen).toBe(1504);
  });

  it('answers 404 to an unknown run and to one of another account, before any byte of a stream', async () => {
    const { id } = await anAccount(gateway.ctx);
    const { value: stranger } = await aToken(gateway.ctx, { accountId: id });
    const runId = await ended();
    const attempts = [
      gateway.call('GET', `/v1/runs/${newId()}/events`),
      gateway.call('GET', `/v1/runs/${runId}/events`, { token: stranger }),
    ];
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.error?.code]).toEqual([404, 'not_found']);
    }
  });

  it('answers 404 to an invalid UUID and 401 without a token', async () => {
    expect((await gateway.call('GET', '/v1/runs/7/events')).status).toBe(404);
    expect((await gateway.call('GET', `/v1/runs/${newId()}/events`, { token: '' })).status).toBe(401);
  });

  it('sends a keep-alive every 15 seconds on an idle stream, and closes a stream soon after its token is revoked', async () => {
    const quiet = gateway.follow(await accepted());
    const listening = framesOf(quiet);
    const { value: token, id: tokenId } = await aToken(gateway.ctx, { accountId: gateway.accountId });
    const runId = await accepted();
    const stream = gateway.follow(runId, { headers: { authorization: `Bearer ${token}` } });
    const reading = framesOf(stream);
    await until(() => stream.text.includes('run.queued'));
    await revokeToken({ ...gateway.ctx, actor: { ...gateway.ctx.actor, accountId: gateway.accountId } }, { tokenId });
    expect(types(await reading)).toEqual(['run.queued']);
    expect((await gateway.call('GET', `/v1/runs/${runId}/events`, { token })).status).toBe(401);
    await until(() => quiet.comments.length > 0, { what: 'a keep-alive comment' });
    expect(new Set(quiet.comments)).toEqual(new Set([': keep-alive']));
    quiet.close();
    await listening.catch(() => undefined);
  });

  it('answers 429 to more streams than the account may have open, until one is closed', async () => {
    const runId = await accepted();
    const streams = Array.from({ length: 40 }, () => gateway.follow(runId));
    const readings = streams.map((stream) => framesOf(stream).catch(() => undefined));
    await Promise.all(streams.map((stream) => stream.opened));
    await until(async () => (await gateway.call('GET', `/v1/runs/${runId}/events`)).status === 429);
    for (const stream of streams) stream.close();
    await Promise.all(readings);
    const next = gateway.follow(runId);
    expect((await next.opened).status).toBe(200);
    next.close();
  });
});

describe('streams with a read token', () => {
  const aReadToken = async (runId: string): Promise<string> => {
    const { body } = await gateway.call('POST', `/v1/runs/${runId}/read-token`, { body: {} });
    return String(body.data?.['token']);
  };
  const follow = (runId: string, token: string): EventStream =>
    readEvents(`${gateway.url}/v1/runs/${runId}/events?token=${token}`);
  const ask = (runId: string, token: string): Promise<Answer> =>
    gateway.call('GET', `/v1/runs/${runId}/events?token=${token}`, { token: '' });

  it('answer 429 above the limit of the token, which is separate from those of the account and other tokens', async () => {
    const runId = await accepted();
    const [token, another] = [await aReadToken(runId), await aReadToken(runId)];
    const open = [1, 2, 3].map(() => follow(runId, token));
    const readings = open.map((stream) => framesOf(stream).catch(() => undefined));
    await Promise.all(open.map((stream) => stream.opened));
    const refused = await ask(runId, token);
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited']);
    expect(refused.body.error?.message).toMatch(/This read token has 3 event streams open/);
    const others = [follow(runId, another), ...Array.from({ length: 40 }, () => gateway.follow(runId))];
    expect(await Promise.all(others.map(async (stream) => (await stream.opened).status))).toEqual(
      others.map(() => 200),
    );
    expect((await gateway.call('GET', `/v1/runs/${runId}/events`)).body.error?.message).toMatch(
      /This account has 40 event streams open/,
    );
    for (const stream of [...open, ...others]) stream.close();
    await Promise.all(readings);
    await until(async () => {
      const stream = follow(runId, token);
      const status = await stream.opened.then(
        (head) => head.status,
        () => 429,
      );
      stream.close();
      return status === 200;
    });
  });

  it('count in a rate limit of the token, not of the account', async () => {
    const runId = await ended();
    const token = await aReadToken(runId);
    const left = async () =>
      Number((await gateway.call('GET', `/v1/runs/${runId}`)).headers.get('ratelimit-remaining'));
    const before = await left();
    const ofLink: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const answer = await fetch(`${gateway.url}/v1/runs/${runId}/events?token=${token}`);
      await answer.body?.cancel();
      ofLink.push(Number(answer.headers.get('ratelimit-limit')) - Number(answer.headers.get('ratelimit-remaining')));
    }
    expect(ofLink).toEqual([1, 2, 3, 4, 5]);
    expect(await left()).toBe(before - 1);
  });
});

describe('a gateway during shutdown', () => {
  it('ends its streams with a retry line and without done', async () => {
    const other = await aGateway();
    const body = { params: { Name: 'Ada' } };
    const { data } = (await other.call('POST', `/v1/lenses/${other.lensId}/execute`, { body })).body;
    const stream = other.follow(String(data?.['runId']));
    const reading = framesOf(stream);
    await until(() => stream.text.includes('run.queued'));
    await other.stop();
    expect(types(await reading)).toEqual(['run.queued']);
    expect(stream.text).toMatch(/retry: \d+\n\n$/);
  });

  it('ends a stream that a client opens on its old connection, and closes the connection', async () => {
    const other = await aGateway();
    const body = { params: { Name: 'Ada' } };
    const { data } = (await other.call('POST', `/v1/lenses/${other.lensId}/execute`, { body })).body;
    const first = openConnection(other.url);
    const second = openConnection(other.url);
    const path = `/v1/runs/${String(data?.['runId'])}/events`;
    first.get(path, other.token);
    second.get('/live', other.token);
    await until(() => first.text().includes('run.queued') && second.text().includes('"live"'));
    const stopping = other.stop();
    await until(() => first.ended());
    second.get(path, other.token);
    await until(() => second.ended());
    await stopping;
    for (const { text } of [first, second]) expect(text()).toMatch(/retry: \d+\n\n\r\n0\r\n\r\n$/);
    expect(second.text()).toContain('text/event-stream');
  });
});

/** A connection of a client that keeps it open between requests. */
function openConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  let ended = false;
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.once('end', () => (ended = true));
  return {
    get: (path: string, token: string) =>
      void socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    text: () => text,
    ended: () => ended,
  };
}
