import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TinyService, type TinySetup, tinySetup } from './tiny-service.js';

let setup: TinySetup;
let authorization: string;

beforeAll(async () => {
  setup = await tinySetup();
  authorization = `Bearer ${(await setup.token()).value}`;
});
afterAll(() => setup.stop());

interface Answer {
  status: number | undefined;
  connection: string | undefined;
  text: string;
}

function call(
  { url }: TinyService,
  path: string,
  { agent, sleep }: { agent?: Agent; sleep?: number } = {},
): Promise<Answer> {
  const body = sleep === undefined ? undefined : JSON.stringify({ name: String(sleep) });
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      {
        agent: agent ?? false,
        method: body ? 'POST' : 'GET',
        headers: { authorization, ...(body && { 'content-type': 'application/json', 'content-length': body.length }) },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection, text }));
        answer.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const logged = ({ lines }: TinyService, message: string): Promise<boolean> =>
  until(() => lines.some((line) => line.includes(message)), { what: `the log line "${message}"` });

const refused = ({ url }: TinyService): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });

describe('a service that stops', () => {
  it('lets open requests and streams end, accepts no new connections, and sends Connection: close', async () => {
    const service = await setup.start({ LENSFORGE_DRAIN_MS: '30000' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await call(service, '/ready', { agent })).status).toBe(200);
    const slow = call(service, '/v1/slow', { sleep: 2000 });
    const stream = call(service, '/v1/stream');
    await Promise.all([logged(service, 'a slow request began'), logged(service, 'a stream began')]);

    const stopping = service.stop();
    await until(() => refused(service));
    const last = await call(service, '/ready', { agent });
    expect(last).toMatchObject({ status: 503, connection: 'close' });
    expect(JSON.parse(last.text)).toMatchObject({ status: 'not_ready', draining: true });

    const answer = await slow;
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ data: { slept: '2000', draining: true } });
    expect((await stream).text).toBe(': hello\n\n: bye\n\n');
    await expect(stopping).resolves.toBe(true);
    expect(service.platform.database.isInitialized).toBe(false);
    agent.destroy();
  });

  it('closes idle connections', async () => {
    const service = await setup.start();
    const { hostname, port } = new URL(service.url);
    const idle = [0, 1].map(() => connect(Number(port), hostname));
    const closed = Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    const answered = new Promise((resolve) => idle[0]!.once('data', resolve));
    const connected = new Promise((resolve) => idle[1]!.once('connect', resolve));
    idle[0]!.write('GET /live HTTP/1.1\r\nHost: x\r\n\r\n');
    await Promise.all([answered, connected]);
    await expect(service.stop()).resolves.toBe(true);
    await closed;
  });

  it('cuts off requests that do not end in time', async () => {
    const service = await setup.start({ LENSFORGE_DRAIN_MS: '1500' });
    const slow = call(service, '/v1/slow', { sleep: 60_000 }).catch((error: unknown) => error);
    await logged(service, 'a slow request began');
    await expect(service.stop()).resolves.toBe(false);
    await expect(slow).resolves.toMatchObject({ code: 'ECONNRESET' });
  });
});
