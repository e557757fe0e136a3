import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { EgressFetch, FetchPolicy } from './index.js';
import { egressFetch, egressPolicy } from './index.js';

const open = { allowPrivate: true, allowHttp: true, ports: 'any' } as const;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function door(own: Partial<FetchPolicy> = {}): EgressFetch {
  return egressFetch(egressPolicy({ ...open, ...own }));
}

const echo: RequestListener = (request, answer) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, url, headers } = request;
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString() }));
  });
};

interface Seen {
  method: string;
  headers: Record<string, string>;
  body: string;
}

describe('a call by fetch', () => {
  it('carries method, headers and body, and gives a Response', async () => {
    const url = await receiver(echo);
    const answer = await door()(`${url}/a?b=c`, { method: 'POST', headers: { 'x-one': '1' }, body: '{"ü":1}' });
    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, answer.ok, answer.url, answer.headers.get('content-type')]).toEqual([
      200,
      true,
      `${url}/a?b=c`,
      'application/json',
    ]);
    expect(await answer.json()).toMatchObject({
      method: 'POST',
      url: '/a?b=c',
      headers: { 'x-one': '1', 'content-length': '8', 'accept-encoding': 'identity' },
      body: '{"ü":1}',
    });
  });

  it('takes all kinds of bodies, a URL and a Request', async () => {
    const url = await receiver(echo);
    const get = door();
    const form = new FormData();
    form.set('name', 'Ada');
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('in '));
        controller.enqueue(new TextEncoder().encode('parts'));
        controller.close();
      },
    });
    const sent = async (input: string | URL | Request, init?: RequestInit): Promise<Seen> =>
      (await (await get(input, init)).json()) as Seen;
    expect((await sent(url, { method: 'PUT', body: new Uint8Array([104, 105]) })).body).toBe('hi');
    expect((await sent(new URL(url), { method: 'POST', body: new URLSearchParams({ a: 'b c' }) })).body).toBe('a=b+c');
    const multipart = await sent(url, { method: 'POST', body: form });
    expect(multipart.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(multipart.body).toContain('Ada');
    expect((await sent(url, { method: 'POST', body: stream, duplex: 'half' })).body).toBe('in parts');
    const request = new Request(url, { method: 'PATCH', body: 'whole', headers: { 'x-two': '2' } });
    expect(await sent(request)).toMatchObject({ method: 'PATCH', body: 'whole', headers: { 'x-two': '2' } });
    expect(await sent(url)).toMatchObject({ method: 'GET', body: '' });
    expect((await get(url, { method: 'HEAD' })).body).toBeNull();
  });

  it('streams the answer piece by piece', async () => {
    let goOn = (): void => undefined;
    const url = await receiver((_, answer) => {
      answer.write('first');
      goOn = () => answer.end('second');
    });
    const { body } = await door()(url);
    const reader = body!.getReader();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('first');
    goOn();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('second');
    expect((await reader.read()).done).toBe(true);
  });

  it('does not follow redirects, whatever it is asked for', async () => {
    let second = 0;
    const there = await receiver((_, answer) => {
      second += 1;
      answer.end();
    });
    const url = await receiver((_, answer) => answer.writeHead(302, { location: there }).end());
    const answer = await door()(url, { redirect: 'follow' });
    expect([answer.status, answer.headers.get('location'), second]).toEqual([302, there, 0]);
  });

  it('uses a connection again and closes it at the end', async () => {
    const ports = new Set<number | undefined>();
    const url = await receiver((request, answer) => {
      ports.add(request.socket.remotePort);
      answer.end('ok');
    });
    const get = door();
    for (let n = 0; n < 8; n++) await (await get(url)).text();
    expect(ports.size).toBeLessThan(8);
    await get.close();
    await expect(get(url)).rejects.toThrow();
  });
});

describe('a call by fetch that goes wrong', () => {
  const fault = async (answer: Promise<Response>) =>
    answer
      .then((response) => response.text())
      .then(
        (text) => `${text.length} bytes`,
        (error: unknown) => (error as { fault?: string }).fault ?? (error as Error).message,
      );

  it('ends with the caller’s own reason when the caller stops it, before and in the middle of the answer', async () => {
    const url = await receiver((_, answer) => answer.write('x'));
    const [early, late] = [new AbortController(), new AbortController()];
    early.abort(new Error('not any more'));
    expect(await fault(door()(url, { signal: early.signal }))).toBe('not any more');
    const answer = await door()(url, { signal: late.signal });
    const text = fault(Promise.resolve(answer));
    late.abort(new Error('enough'));
    expect(await text).toBe('enough');
  });

  it('lets go of the connection when nobody reads on', async () => {
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const url = await receiver((request, answer) => {
      request.socket.on('close', closed);
      answer.write('x');
    });
    const { body } = await door()(url);
    await body?.cancel();
    await gone;
  });

  it('is bounded in time and size, also when what comes was small before it was unpacked', async () => {
    const silent = await receiver(() => undefined);
    expect(await fault(door({ headersMs: 200 })(silent))).toBe('answer_timeout');
    const dripping = await receiver((_, answer) => {
      const drip = setInterval(() => answer.write('x'), 20);
      answer.on('close', () => clearInterval(drip));
    });
    expect(await fault(door({ totalMs: 300 })(dripping))).toBe('total_timeout');
    const long = await receiver((_, answer) => answer.end(Buffer.alloc(100_000)));
    expect(await fault(door()(long))).toBe('answer_too_large');
    expect(await fault(door({ readBytes: 100_000 })(long))).toBe('100000 bytes');
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    const packed = await receiver((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await fault(door()(packed))).toBe('answer_too_large');
  });

  it('says what failed', async () => {
    const rude = await receiver((request) => request.socket.resetAndDestroy());
    expect(await fault(door()(rude))).toBe('connection_lost');
    const gone = await receiver(echo);
    await ends.pop()?.();
    expect(await fault(door()(gone))).toBe('connect_failed');
    expect(await fault(door({ allowHttp: false })('http://example.com/'))).toBe('url_not_allowed');
    expect(await fault(door()('https://user:secret@example.com/'))).toBe('url_not_allowed');
    expect(await fault(door({ allowPrivate: false })('http://127.0.0.1:1/'))).toBe('address_not_allowed');
  });
});
