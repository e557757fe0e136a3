import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { selfSigned } from '../test/certificate.js';
import { checkedLookup, peerFault } from './connect.js';
import {
  EgressFailed,
  type EgressPolicy,
  type EgressRequest,
  egress,
  egressFetch,
  egressPolicy,
  networkResolver,
  readNetworks,
} from './index.js';
import { type Canary, hostileHosts, hostileNames, hostileUrls, startCanary } from './testing.js';
import { rebindingDns } from '../test/rebinding-dns.js';

const listening: Server[] = [];
const sockets = new Set<Socket>();

async function listen(server: Server | HttpServer, host = '127.0.0.1', port = 0): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  listening.push(server);
  return (server.address() as AddressInfo).port;
}

const receiver = (listener: RequestListener) => listen(createHttpServer(listener));

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(listening.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

const open: Partial<EgressPolicy> = { allowPrivate: true, allowHttp: true, ports: 'any' };
const call = (request: EgressRequest, policy: Partial<EgressPolicy> = open) =>
  egress(egressPolicy(policy)).post(request);

const fault = async (request: EgressRequest, policy: Partial<EgressPolicy> = open) => {
  try {
    return (await call(request, policy)).status;
  } catch (error) {
    if (error instanceof EgressFailed) return error.fault;
    throw error;
  }
};

describe('a URL from an untrusted user', () => {
  let canary: Canary;
  const closed: Partial<EgressPolicy> = {
    allowHttp: true,
    ports: 'any',
    connectMs: 500,
    resolve: async (hostname) => hostileNames[hostname] ?? ['127.0.0.1'],
  };
  beforeAll(async () => {
    canary = await startCanary();
  });
  afterAll(() => canary.close());

  const table = Object.entries(hostileHosts).flatMap(([reason, each]) => each.map((host) => [host, reason] as const));

  it('is tested in at least 90 forms', () => {
    expect(table.length).toBeGreaterThanOrEqual(90);
  });

  it.each(table)('is not called: %s (%s)', async (host, reason) => {
    const before = canary.connections();
    const get = egressFetch(egressPolicy(closed));
    const client = egress(egressPolicy(closed));
    for (const url of [`http://${host}:${canary.port}/`, `https://${host}:${canary.port}/`]) {
      const expected = { fault: 'address_not_allowed', message: expect.stringContaining(reason) };
      await expect(client.post({ url })).rejects.toMatchObject(expected);
      await expect(get(url)).rejects.toMatchObject(expected);
    }
    expect(canary.connections()).toBe(before);
  });

  it.each(hostileUrls)('is refused when it is invalid: %j', async (url) => {
    const before = canary.connections();
    const found = await fault({ url: url.replaceAll('HOST', `127.0.0.1:${canary.port}`) }, closed);
    expect(['url_not_allowed', 'address_not_allowed']).toContain(found);
    expect(canary.connections()).toBe(before);
  });

  it('must have an allowed port, and https unless http is allowed', async () => {
    const strict: Partial<EgressPolicy> = { resolve: async () => ['127.0.0.1'] };
    expect(await fault({ url: 'https://example.com:22/' }, strict)).toBe('url_not_allowed');
    expect(await fault({ url: 'https://example.com:6379/' }, strict)).toBe('url_not_allowed');
    expect(await fault({ url: 'http://example.com/' }, strict)).toBe('url_not_allowed');
    expect(await fault({ url: 'https://example.com/' }, strict)).toBe('address_not_allowed');
  });

  it('never reaches a private address when its name resolves differently each time', async () => {
    let asked = 0;
    const toggling = async () => (asked++ % 2 === 0 ? ['3ffe::1'] : ['127.0.0.1']);
    const before = canary.connections();
    const rebinding = { ...closed, connectMs: 20, resolve: toggling };
    const calls = Array.from({ length: 40 }, () => fault({ url: `http://rebind.example:${canary.port}/` }, rebinding));
    expect(new Set(await Promise.all(calls))).not.toContain(200);
    expect(asked).toBe(40);
    expect(canary.connections()).toBe(before);

    const lookup = checkedLookup({ allowPrivate: false, resolve: toggling });
    for (let n = 0; n < 1000; n++) {
      const found = await new Promise((resolve) =>
        lookup('rebind.example', { all: n % 3 > 0 }, (error, address) => resolve(error ? [] : address)),
      );
      expect(JSON.stringify(found)).not.toContain('127.0.0.1');
    }
  });

  it('never reaches a private address in 1,000 calls with a rebinding name server', async () => {
    const dns = await rebindingDns({ public: '3ffe::1', private: ['127.0.0.1', '::1'] });
    const before = canary.connections();
    const resolve = networkResolver({ servers: [`127.0.0.1:${dns.port}`] });
    const policy = egressPolicy({ ...closed, connectMs: 300, resolve });
    const [client, get] = [egress(policy), egressFetch(policy)];
    const url = `http://rebind.example:${canary.port}/`;
    const outcomes = new Set<string>();
    const caller = async (calls: number) => {
      for (let n = 0; n < calls; n++) {
        const call = n % 2 === 0 ? client.post({ url }) : get(url);
        outcomes.add(
          await call.then(
            () => 'answered',
            (error: unknown) => (error as EgressFailed).fault,
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: 20 }, () => caller(50)));
    expect(canary.connections()).toBe(before);
    expect(outcomes).not.toContain('answered');
    expect(dns.answers).toMatchObject({ public: expect.any(Number), private: expect.any(Number) });
    expect(Math.min(dns.answers.public, dns.answers.private)).toBeGreaterThan(300);
    await dns.close();
  });

  it('reaches only public addresses of a name with public and private ones', async () => {
    const before = canary.connections();
    const mixed = { ...closed, connectMs: 20, resolve: async () => ['127.0.0.1', '3ffe::1', '::1'] };
    expect(await fault({ url: `http://mixed.example:${canary.port}/` }, mixed)).toMatch(/^connect_/);
    expect(canary.connections()).toBe(before);
  });

  it('is not called through a proxy from environment variables', async () => {
    const before = canary.connections();
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${canary.port}`;
    const policy = await receiver((_, answer) => answer.end());
    try {
      expect(await fault({ url: `http://127.0.0.1:${policy}/` })).toBe(200);
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name);
    }
    expect(canary.connections()).toBe(before);
  });

  it('is checked again when the socket is connected', async () => {
    const server = createServer();
    const socket = connect(await listen(server), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    expect(peerFault({ allowPrivate: false }, socket)?.fault).toBe('address_not_allowed');
    expect(peerFault({ allowPrivate: true }, socket)).toBeUndefined();
    socket.destroy();
  });
});

describe('egress', () => {
  it('sends the exact bytes and headers, and returns status, headers and the first bytes of the response', async () => {
    const seen: { method: string | undefined; headers: object; body: string }[] = [];
    const port = await receiver((request, answer) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        seen.push({ method: request.method, headers: request.headers, body });
        answer.writeHead(201, { 'x-one': 'a' }).end('thank you');
      });
    });
    const answer = await call({
      url: `http://127.0.0.1:${port}/hook?a=1`,
      headers: { 'content-type': 'application/json' },
      body: '{"ü":1}',
    });
    expect(answer).toMatchObject({ status: 201, bytesRead: 9, complete: true });
    expect(answer.head.toString()).toBe('thank you');
    expect(answer.headers['x-one']).toBe('a');
    expect(seen).toMatchObject([
      { method: 'POST', body: '{"ü":1}', headers: { connection: 'close', 'content-type': 'application/json' } },
    ]);
  });

  it('does not follow redirects', async () => {
    let second = 0;
    const there = await receiver((_, answer) => {
      second += 1;
      answer.end();
    });
    const port = await receiver((_, answer) => answer.writeHead(307, { location: `http://127.0.0.1:${there}/` }).end());
    expect(await fault({ url: `http://127.0.0.1:${port}/` })).toBe(307);
    expect(second).toBe(0);
  });

  it('uses a new connection for each call', async () => {
    const ports = new Set<number | undefined>();
    const port = await receiver((request, answer) => {
      ports.add(request.socket.remotePort);
      answer.end('ok');
    });
    for (let n = 0; n < 3; n++) await call({ url: `http://127.0.0.1:${port}/` });
    expect(ports.size).toBe(3);
  });

  it('keeps 4 KiB of a long response and stops reading after 64 KiB', async () => {
    const port = await receiver((_, answer) => {
      const push = () => {
        while (answer.write(Buffer.alloc(16_384, 'x')));
        answer.once('drain', push);
      };
      push();
    });
    const answer = await call({ url: `http://127.0.0.1:${port}/` });
    expect(answer).toMatchObject({ status: 200, complete: false });
    expect(answer.head.length).toBe(4096);
    expect(answer.bytesRead).toBeLessThan(192 * 1024);
  });

  it('does not decompress responses', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const port = await receiver((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const answer = await call({ url: `http://127.0.0.1:${port}/` });
    expect(answer.bytesRead).toBe(bomb.length);
    expect(answer.head.subarray(0, 2).toString('hex')).toBe('1f8b');
  });

  it('can be canceled with a signal', async () => {
    const port = await receiver(() => undefined);
    const stop = new AbortController();
    const answer = fault({ url: `http://127.0.0.1:${port}/`, signal: stop.signal });
    setImmediate(() => stop.abort());
    expect(await answer).toBe('canceled');
  });
});

describe('networks that the operator opened', () => {
  it('are reachable with the unchanged rules for http and ports; other private networks are not', async () => {
    const port = await receiver((_, answer) => answer.end('inside'));
    const resolve = async () => ['127.0.0.1'];
    const inside: Partial<EgressPolicy> = {
      allow: readNetworks('127.0.0.0/8'),
      allowHttp: true,
      ports: 'any',
      resolve,
    };
    expect(await fault({ url: `http://receiver.internal:${port}/` }, inside)).toBe(200);
    expect(await fault({ url: `http://localhost:${port}/` }, inside)).toBe(200);
    expect((await egressFetch(egressPolicy(inside))(`http://127.0.0.1:${port}/`)).status).toBe(200);
    const elsewhere = { ...inside, allow: readNetworks('10.0.0.0/8') };
    expect(await fault({ url: `http://receiver.internal:${port}/` }, elsewhere)).toBe('address_not_allowed');
    const plain = { allow: inside.allow, resolve };
    expect(await fault({ url: `http://receiver.internal/` }, plain)).toBe('url_not_allowed');
    expect(await fault({ url: `https://receiver.internal:${port}/` }, plain)).toBe('url_not_allowed');
  });
});

describe('plain http to opened addresses', () => {
  const resolve = async (name: string) => [name === 'receiver.internal' ? '127.0.0.1' : '198.51.100.7'];
  const policy: Partial<EgressPolicy> = {
    allow: readNetworks('127.0.0.1'),
    allowHttp: 'opened',
    ports: 'any',
    connectMs: 500,
    resolve,
  };
  const messageOf = (url: string, changes: Partial<EgressPolicy> = {}) =>
    call({ url }, { ...policy, ...changes }).then(
      ({ status }) => status,
      (error: unknown) => (error as Error).message,
    );

  it('reaches these addresses, by address and by name', async () => {
    const port = await receiver((_, answer) => answer.end('inside'));
    expect(await messageOf(`http://127.0.0.1:${port}/`)).toBe(200);
    expect(await messageOf(`http://receiver.internal:${port}/`)).toBe(200);
    expect(await messageOf(`http://127.0.0.1:${port}/`, { allow: undefined, allowPrivate: true })).toBe(200);
  });

  it('reaches no other address, neither public nor private', async () => {
    const refusal = /Plain http is allowed only to addresses that the operator opened/;
    expect(await messageOf('http://8.8.8.8/')).toMatch(refusal);
    expect(await messageOf('http://[2606:4700::1111]/')).toMatch(refusal);
    expect(await messageOf('http://example.com/', { resolve: async () => ['8.8.8.8'] })).toMatch(refusal);
    expect(await messageOf('http://8.8.8.8/', { allow: undefined, allowPrivate: true })).toMatch(refusal);
    expect(await messageOf('http://10.0.0.1/')).toMatch(/10\.0\.0\.1 is private/);
    expect(await messageOf('http://127.0.0.2/')).toMatch(/127\.0\.0\.2 is loopback/);
  });

  it('is refused as a URL when the operator opened none, and https stays allowed', async () => {
    expect(await messageOf('http://8.8.8.8/', { allow: undefined })).toMatch(/must start with https:\/\/, not http:/);
    const port = await listen(createServer((socket) => socket.destroy()));
    expect(await fault({ url: `https://receiver.internal:${port}/` }, policy)).toBe('connection_lost');
  });
});

describe('a faulty target', () => {
  it('causes total_timeout when the response does not end', async () => {
    const port = await receiver((_, answer) => {
      answer.writeHead(200).write('x');
      const drip = setInterval(() => answer.write('x'), 20);
      answer.on('close', () => clearInterval(drip));
    });
    expect(await fault({ url: `http://127.0.0.1:${port}/` }, { ...open, totalMs: 300 })).toBe('total_timeout');
  });

  it('causes answer_timeout when it never responds', async () => {
    const port = await receiver(() => undefined);
    expect(await fault({ url: `http://127.0.0.1:${port}/` }, { ...open, headersMs: 200 })).toBe('answer_timeout');
  });

  it('causes connect_timeout when its name server never answers', async () => {
    const hanging: Partial<EgressPolicy> = { ...open, connectMs: 200, resolve: () => new Promise(() => undefined) };
    expect(await fault({ url: 'http://nowhere.example/' }, hanging)).toBe('connect_timeout');
  });

  it('causes dns_failed when its name does not exist', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }));
    expect(await fault({ url: 'http://nowhere.example/' }, { ...open, resolve })).toBe('dns_failed');
  });

  it('causes connect_failed, connection_lost or bad_answer when it breaks the connection or HTTP', async () => {
    const closedPort = await receiver(() => undefined);
    await new Promise((resolve) => listening.splice(0)[0]?.close(resolve));
    expect(await fault({ url: `http://127.0.0.1:${closedPort}/` })).toBe('connect_failed');

    const resetting = await listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
    expect(await fault({ url: `http://127.0.0.1:${resetting}/` })).toBe('connection_lost');

    const invalid = await listen(
      createServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n'))),
    );
    expect(await fault({ url: `http://127.0.0.1:${invalid}/` })).toBe('bad_answer');

    const endless = await listen(
      createServer((socket) => {
        socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`));
      }),
    );
    expect(await fault({ url: `http://127.0.0.1:${endless}/` })).toBe('bad_answer');
  });
});

describe('a TLS connection', () => {
  const { key, cert } = selfSigned('receiver.test');
  const secure = () => listen(createHttpsServer({ key, cert }, (_, answer) => answer.end('safe')));
  const named: Partial<EgressPolicy> = { ...open, resolve: async () => ['127.0.0.1'] };

  it('needs a trusted certificate for the host name', async () => {
    const port = await secure();
    expect(await fault({ url: `https://receiver.test:${port}/` }, { ...named, authorities: cert })).toBe(200);
  });

  it('fails for an untrusted certificate and for another name', async () => {
    const port = await secure();
    expect(await fault({ url: `https://receiver.test:${port}/` }, named)).toBe('tls_failed');
    expect(await fault({ url: `https://other.test:${port}/` }, { ...named, authorities: cert })).toBe('tls_failed');
  });

  it('fails for a server with plain HTTP', async () => {
    const port = await receiver((_, answer) => answer.end());
    expect(await fault({ url: `https://receiver.test:${port}/` }, { ...named, authorities: cert })).toBe('tls_failed');
  });
});

describe('a reusable connection', () => {
  const countingServer = async () => {
    let connections = 0;
    const server = createHttpServer((request, response) => {
      request.resume().on('end', () => {
        if (request.url === '/cut') response.socket?.destroy();
        else response.end(request.url === '/endless' ? Buffer.alloc(200_000) : 'thanks');
      });
    });
    server.on('connection', () => (connections += 1));
    const port = await listen(server);
    const client = egress(egressPolicy(open));
    const post = (path: string, reuse?: string) =>
      client.post({ url: `http://127.0.0.1:${port}${path}`, body: 'x', ...(reuse !== undefined && { reuse }) });
    return { post, connections: () => connections };
  };

  it('is reused only for calls with the same key', async () => {
    const { post, connections } = await countingServer();
    for (let call = 0; call < 3; call++) await post('/', 'one');
    expect(connections()).toBe(1);
    await post('/', 'other');
    expect(connections()).toBe(2);
    await post('/');
    await post('/');
    expect(connections()).toBe(4);
    await Promise.all([post('/', 'one'), post('/', 'one')]);
    expect(connections()).toBe(5);
  });

  it('is not reused after a failure or an incompletely read response', async () => {
    const { post, connections } = await countingServer();
    await post('/endless', 'one');
    await post('/', 'one');
    expect(connections()).toBe(2);
    await expect(post('/cut', 'one')).rejects.toMatchObject({ fault: 'connection_lost' });
    await post('/', 'one');
    expect(connections()).toBe(3);
  });
});
