import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

/** Local runs: runners are killed and frozen, two compete for each run, and some runs are canceled. */
const runner = fileURLToPath(new URL('../../../tools/local-runner/dist/main.js', import.meta.url));
const count = 60;

let setup: TestPlatform;
const asked: string[] = [];
const ollama = createServer((request, response) => {
  request
    .on('data', () => undefined)
    .on('end', () => {
      asked.push(request.url ?? '');
      void speak(response);
    });
});

/** Sends one word at a time, as Ollama does. */
async function speak(response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/x-ndjson');
  response.on('error', () => undefined);
  const words = ['Once ', 'upon ', 'a ', 'time'];
  for (const content of words) {
    response.write(`${JSON.stringify({ message: { role: 'assistant', content }, done: false })}\n`);
    await pause(100);
  }
  response.end(`${JSON.stringify({ message: { content: '' }, done: true, prompt_eval_count: 9, eval_count: 4 })}\n`);
}

beforeAll(async () => {
  ollama.listen(0, '127.0.0.1');
  await once(ollama, 'listening');
  setup = await TestPlatform.open({
    replicas: { 'api-gateway': 2 },
    environment: { LENSFORGE_LOCAL_LEASE_MS: '3000', LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT: '1000' },
  });
});
const runners = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of runners) child.kill('SIGKILL');
  ollama.closeAllConnections();
  ollama.close();
  await setup.close();
});

function aRunner(gateway: number): ChildProcess {
  const { port } = ollama.address() as AddressInfo;
  const places = ['--api', setup.platform.urlOf('api-gateway', gateway), '--ollama', `http://127.0.0.1:${port}`];
  const child = spawn(process.execPath, [runner, ...places, '--model', 'llama3.2', '--name', `runner ${gateway}`], {
    env: { ...process.env, LENSFORGE_API_KEY: setup.token },
    stdio: 'ignore',
  });
  runners.add(child);
  child.once('exit', () => runners.delete(child));
  return child;
}

it(`each of ${count} local runs ends once while runners are killed and frozen`, async () => {
  const runIds = await withConcurrency(count, 10, (n) =>
    setup.accepted({ gateway: n % 2, body: { fundingSource: 'user_byok_local' } }),
  );
  let living = true;
  const keep = async (gateway: number): Promise<void> => {
    while (living) await once(aRunner(gateway), 'exit');
  };
  const keeping = [keep(0), keep(1), keep(0), keep(1)];
  const disturb = async (): Promise<void> => {
    for (let n = 0; living; n += 1) {
      await pause(1200);
      const [victim] = [...runners].slice(n % Math.max(1, runners.size));
      if (n % 3 < 2) victim?.kill('SIGKILL');
      else {
        victim?.kill('SIGSTOP');
        void pause(5000).then(() => victim?.kill('SIGCONT'));
      }
    }
  };
  const disturbing = disturb();
  const canceled = runIds.filter((_, n) => n % 10 === 0);
  await pause(2000);
  for (const runId of canceled) await setup.call('POST', `/v1/runs/${runId}/cancel`);
  await setup.allEnded();
  living = false;
  await disturbing;
  for (const child of runners) child.kill('SIGKILL');
  await Promise.all(keeping);

  const ends = await setup.db.query<{ id: string; status: string; code: string | null; text: string | null }[]>(
    `select r.id, r.status, r.error_code as code, a.content_text as text
       from runs r left join run_artifacts a on a.run_id = r.id and a.is_primary_output where r.id = any ($1)`,
    [runIds],
  );
  const others = ends.filter(({ id }) => !canceled.includes(id));
  const lost = others.filter(({ code }) => code === 'WORKER_LOST');
  expect(others.filter(({ status }) => status !== 'succeeded').length).toBe(lost.length);
  expect(others.filter(({ status, text }) => status === 'succeeded' && text !== 'Once upon a time')).toEqual([]);
  expect(ends.filter(({ id, status }) => canceled.includes(id) && !['canceled', 'succeeded'].includes(status))).toEqual(
    [],
  );
  expect(await setup.findings()).toEqual(nothingFound);
  const figures = countBy(ends.map(({ status, code }) => code ?? status));
  process.stdout.write(`local runs: ${JSON.stringify(figures)}, ${asked.length} answers were begun\n`);
});
