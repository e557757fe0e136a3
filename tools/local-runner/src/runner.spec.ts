import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ModelServer, ollama, openAiCompatible } from './model-server.js';
import { type ClaimedRun, PlatformApi } from './platform-api.js';
import { serveRuns } from './runner.js';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

type Handler = (body: Record<string, unknown>, reply: ServerResponse, request: IncomingMessage) => void;

async function listen(handler: Handler): Promise<string> {
  const server = createServer((request, reply) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => handler(JSON.parse(text) as Record<string, unknown>, reply, request));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Responds like Ollama: newline-delimited JSON in arbitrary chunks. */
const anOllama = (lines: readonly object[], asked: object[] = []) =>
  listen((body, reply, { url }) => {
    asked.push({ url, ...body });
    reply.setHeader('content-type', 'application/x-ndjson');
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    for (let at = 0; at < bytes.length; at += 7) reply.write(bytes.subarray(at, at + 7));
    reply.end();
  });

const aRun = (more: Partial<ClaimedRun> = {}): ClaimedRun => ({
  runId: 'run-1',
  lease: { token: 1, ms: 30_000 },
  sequence: 2,
  prompt: 'Hi',
  messages: null,
  maxOutputTokens: 99,
  model: { provider: 'ollama', key: 'llama3.2' },
  sampling: {},
  outputSchema: null,
  ...more,
});

/** A platform with some runs; records all reports, and stops the runner after the last run. */
async function aPlatform(runs: ClaimedRun[], { cancel = false, refuse = false } = {}) {
  const stopping = new AbortController();
  const calls: Record<string, unknown>[] = [];
  let failures = 1;
  const base = await listen((body, reply, { url = '', headers }) => {
    const answer = (status: number, data: object) => reply.writeHead(status).end(JSON.stringify(data));
    const what = url.split('/').at(-1);
    if (headers.authorization !== 'Bearer lf_dev_x') return void answer(401, { error: { message: 'no' } });
    if (what === 'claim') {
      const run = runs.shift() ?? null;
      if (!run) stopping.abort();
      return void answer(200, { data: { run } });
    }
    // A lost response: the runner repeats the call.
    if (failures > 0) {
      failures -= 1;
      return void answer(503, { error: { message: 'try again' } });
    }
    calls.push({ what, ...body });
    if (refuse) return void answer(409, { error: { message: 'this lease is over' } });
    const deltas = (body['deltas'] as unknown[] | undefined) ?? [];
    const sequence = Number(body['after']) + deltas.length;
    answer(200, { data: { cancelRequested: cancel && what === 'events', sequence, leaseMs: 30_000 } });
  });
  return { base, stopping, calls };
}

async function serve(server: ModelServer, runs: ClaimedRun[], more: { cancel?: boolean; refuse?: boolean } = {}) {
  const { base, stopping, calls } = await aPlatform(runs, more);
  const said: string[] = [];
  const api = new PlatformApi(base, 'lf_dev_x');
  await serveRuns({
    api,
    server,
    name: 'spec',
    waitSeconds: 0,
    signal: stopping.signal,
    say: (line) => said.push(line),
  });
  const deltas = calls.flatMap(({ deltas = [] }) => deltas as string[]).join('');
  return { said, calls, deltas, end: calls.findLast(({ what }) => what === 'finish') };
}

const hello = [
  { message: { role: 'assistant', content: 'Hel' }, done: false },
  { message: { role: 'assistant', content: 'lo 🧀' }, done: false },
  { message: { role: 'assistant', content: '' }, done: true, prompt_eval_count: 11, eval_count: 3 },
];

/** Sends no response until it is aborted. */
const silent: ModelServer = {
  async *answer(_task, signal) {
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    yield { delta: 'never' };
  },
};

describe('a runner', () => {
  it('executes runs with Ollama and reports output as it arrives', async () => {
    const asked: object[] = [];
    const base = await anOllama(hello, asked);
    const { deltas, end } = await serve(ollama(base), [
      aRun({ sampling: { temperature: 0.5 } }),
      aRun({ runId: 'run-2' }),
    ]);
    expect(asked[0]).toEqual({
      url: '/api/chat',
      model: 'llama3.2',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      options: { num_predict: 99, temperature: 0.5 },
    });
    expect(deltas).toBe('Hello 🧀Hello 🧀');
    expect(end).toMatchObject({
      leaseToken: 1,
      outcome: 'succeeded',
      text: 'Hello 🧀',
      usage: { input: 11, output: 3 },
    });
  });

  it('executes runs with a Chat Completions server', async () => {
    const base = await listen((_body, reply) => {
      const pieces = [{ choices: [{ delta: { content: 'Hel' } }] }, { choices: [{ delta: { content: 'lo' } }] }];
      const usage = { choices: [], usage: { prompt_tokens: 4, completion_tokens: 2 } };
      for (const piece of [...pieces, usage]) reply.write(`data: ${JSON.stringify(piece)}\n\n`);
      reply.end('data: [DONE]\n\n');
    });
    const { end } = await serve(openAiCompatible(base), [aRun()]);
    expect(end).toMatchObject({ outcome: 'succeeded', text: 'Hello', usage: { input: 4, output: 2 } });
  });

  it.each([
    ['an error in the stream', [{ error: 'model "llama3.2" not found' }], 'Ollama says: model "llama3.2" not found'],
    ['a stream that breaks off', hello.slice(0, 1), 'broke off in the middle'],
  ])('reports the failure: %s', async (_, lines, words) => {
    const { end } = await serve(ollama(await anOllama(lines)), [aRun()]);
    expect(end).toMatchObject({ outcome: 'failed', error: expect.stringContaining(words) });
  });

  it('stops canceled and lost runs', async () => {
    const soon = aRun({ lease: { token: 1, ms: 300 } });
    expect((await serve(silent, [soon], { cancel: true })).end).toMatchObject({ outcome: 'canceled' });
    const { end, said } = await serve(silent, [soon], { refuse: true });
    expect(end).toBeUndefined();
    expect(said.at(-1)).toContain('no longer ours: this lease is over');
  });

  it('stops at once with an invalid token', async () => {
    const { base } = await aPlatform([]);
    const { signal } = new AbortController();
    const wrong = { api: new PlatformApi(base, 'lf_dev_y'), server: silent, name: 'x', signal, say: () => undefined };
    await expect(serveRuns(wrong)).rejects.toThrow('no');
  });
});
