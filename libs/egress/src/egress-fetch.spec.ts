import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type EgressFetch, type FetchPolicy, egressFetch, egressPolicy } from './index.js';

const open = { allowPrivate: true, allowHttp: true, ports: 'any' } as const;
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanUps.splice(0)) await end();
});

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openFetch(own: Partial<FetchPolicy> = {}): EgressFetch {
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

describe('egressFetch', () => {
  it('sends method, headers and body, and returns a Response', async () => {
    const url = await receiver(echo);
    const answer = await openFetch()(`${url}/a?b=c`, { method: 'POST', headers: { 'x-one': '1' }, body: '{"ü":1}' });
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

  it('accepts all kinds of bodies, a URL and a Request', async () => {
    const url = await receiver(echo);
    const get = openFetch();
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

  it('streams the response in chunks', async () => {
    let finish = (): void => undefined;
    const url = await receiver((_, answer) => {
      answer.write('first');
      finish = () => answer.end('second');
    });
    const { body } = await openFetch()(url);
    const reader = body!.getReader();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('second');
    expect((await reader.read()).done).toBe(true);
  });

  it('never follows redirects', async () => {
    let second = 0;
    const there = await receiver((_, answer) => {
      second += 1;
      answer.end();
    });
    const url = await receiver((_, answer) => answer.writeHead(302, { location: there }).end());
    const answer = await openFetch()(url, { redirect: 'follow' });
    expect([answer.status, answer.headers.get('location'), second]).toEqual([302, there, 0]);
  });

  it('reuses connections and closes them in close()', async () => {
    const ports = new Set<number | undefined>();
    const url = await receiver((request, answer) => {
      ports.add(request.socket.remotePort);
      answer.end('ok');
    });
    const get = openFetch();
    for (let n = 0; n < 8; n++) await (await get(url)).text();
    expect(ports.size).toBeLessThan(8);
    await get.close();
    await expect(get(url)).rejects.toThrow();
  });
});

describe('a failed call of egressFetch', () => {
  const fault = async (answer: Promise<Response>) =>
    answer
      .then((response) => response.text())
      .then(
        (text) => `${text.length} bytes`,
        (error: unknown) => (error as { fault?: string }).fault ?? (error as Error).message,
      );

  it('rejects with the abort reason of the caller, before and during the response', async () => {
    const url = await receiver((_, answer) => answer.write('x'));
    const [early, late] = [new AbortController(), new AbortController()];
    early.abort(new Error('not any more'));
    expect(await fault(openFetch()(url, { signal: early.signal }))).toBe('not any more');
    const answer = await openFetch()(url, { signal: late.signal });
    const text = fault(Promise.resolve(answer));
    late.abort(new Error('enough'));
    expect(await text).toBe('enough');
  });

  it('closes the connection when the caller cancels the body', async () => {
    let onClose = (): void => undefined;
    const closed = new Promise<void>((resolve) => (onClose = resolve));
    const url = await receiver((request, answer) => {
      request.socket.on('close', onClose);
      answer.write('x');
    });
    const { body } = await openFetch()(url);
    await body?.cancel();
    await expect(closed.then(() => 'closed')).resolves.toBe('closed');
  });

  it('has limits of time and size, also for compressed responses', async () => {
    const silent = await receiver(() => undefined);
    expect(await fault(openFetch({ headersMs: 200 })(silent))).toBe('answer_timeout');
    const slow = await receiver((_, answer) => {
      const drip = setInterval(() => answer.write('x'), 20);
      answer.on('close', () => clearInterval(drip));
    });
    expect(await fault(openFetch({ totalMs: 300 })(slow))).toBe('total_timeout');
    const long = await receiver((_, answer) => answer.end(Buffer.alloc(100_000)));
    expect(await fault(openFetch()(long))).toBe('answer_too_large');
    expect(await fault(openFetch({ readBytes: 100_000 })(long))).toBe('100000 bytes');
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    const packed = await receiver((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await fault(openFetch()(packed))).toBe('answer_too_large');
  });

  it('names the fault', async () => {
    const resetting = await receiver((request) => request.socket.resetAndDestroy());
    expect(await fault(openFetch()(resetting))).toBe('connection_lost');
    const closed = await receiver(echo);
    await cleanUps.pop()?.();
    expect(await fault(openFetch()(closed))).toBe('connect_failed');
    expect(await fault(openFetch({ allowHttp: false })('http://example.com/'))).toBe('url_not_allowed');
    expect(await fault(openFetch()('https://user:secret@example.com/'))).toBe('url_not_allowed');
    expect(await fault(openFetch({ allowPrivate: false })('http://127.0.0.1:1/'))).toBe('address_not_allowed');
  });
});
