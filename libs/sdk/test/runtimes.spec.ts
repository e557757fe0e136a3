import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

let folder: string;
let server: Server;
let url: string;
/** The results that the browser has sent. */
const reported: string[] = [];

/** Reads a lens, follows a run to its end and verifies a webhook; the result is one line. */
const work = (importing: string, baseUrl: string): string => `${importing}
export async function work() {
  const client = createClient({ baseUrl: ${baseUrl}, apiKey: 'key' });
  const lens = await client.lenses.get('a');
  let text = '';
  for await (const event of client.runs.events('r')) if (event.eventType === 'node.output.delta') text += event.payload.text;
  const refused = await webhooks.verify('{}', { 'x-service-signature': 'sha256=00' }, 'whsec_AAAA').catch((error) => error);
  return [lens.title, text, refused instanceof WebhookVerificationError].join(' ');
}
`;
const result = 'A lens Hello true';

const frame = (id: number, event: string, payload: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify({ eventType: event, payload, sequence: id })}\n\n`;

const script = 'text/javascript';
const pages: Record<string, () => [type: string, text: string]> = {
  '/v1/lenses/a': () => ['application/json', '{"data":{"title":"A lens"},"meta":{},"error":null}'],
  '/v1/runs/r/events': () => [
    'text/event-stream',
    frame(1, 'node.output.delta', { text: 'Hello' }) + frame(2, 'done', { status: 'succeeded' }),
  ],
  '/sdk.js': () => [script, readFileSync(join(folder, 'packed/esm/index.js'), 'utf8')],
  '/work.js': () => [
    script,
    work("import { createClient, webhooks, WebhookVerificationError } from '/sdk.js';", 'location.origin'),
  ],
  '/worker.js': () => [
    script,
    "import { work } from '/work.js'; work().then(postMessage, (error) => postMessage(String(error)));",
  ],
  '/': () => [
    'text/html',
    `<script type="module">
      import { work } from '/work.js';
      const report = (from) => (text) => fetch('/result', { method: 'POST', body: from + ': ' + text });
      work().then(report('page'), report('page'));
      new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => report('worker')(data);
    </script>`,
  ],
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lensforge-runtimes-'));
  await run(process.execPath, [join(root, 'tools/pack-library.mjs'), 'sdk', join(folder, 'packed')]);
  server = createServer((request, response) => {
    if (request.url === '/result') void text(request).then((line) => reported.push(line));
    const [type, content] = pages[request.url ?? '']?.() ?? [];
    response.writeHead(type ? 200 : 404, { 'content-type': type ?? 'text/plain' }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const importing = "import { createClient, webhooks, WebhookVerificationError } from './packed/esm/index.js';";
  writeFileSync(join(folder, 'work.mjs'), work(importing, JSON.stringify(url)));
  writeFileSync(join(folder, 'main.mjs'), "import { work } from './work.mjs'; console.log(await work());");
  const inWorker = "import { parentPort } from 'node:worker_threads'; import { work } from './work.mjs';";
  writeFileSync(join(folder, 'worker.mjs'), `${inWorker} parentPort.postMessage(await work());`);
  const thread = "new Worker(new URL('worker.mjs', import.meta.url)).on('message', (text) => console.log(text));";
  writeFileSync(join(folder, 'thread.mjs'), `import { Worker } from 'node:worker_threads'; ${thread}`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  // Processes of the browser write for a moment after its end.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

const output = async (command: string, ...args: string[]): Promise<string> =>
  (await run(command, args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } })).stdout.trim();

describe('the packed SDK', () => {
  it('works in a worker thread of Node.js', async () => {
    expect(await output(process.execPath, 'thread.mjs')).toBe(result);
  });

  for (const [name, args] of [
    ['deno', ['run', '--quiet', '--no-config', '--allow-net=127.0.0.1', '--allow-env', '--allow-read', 'main.mjs']],
    ['bun', ['main.mjs']],
  ] as const) {
    const isInstalled = spawnSync(name, ['--version']).status === 0;
    if (!isInstalled) process.stdout.write(`${name} is not installed: the SDK is not tried in it\n`);
    (isInstalled ? it : it.skip)(`works in ${name}`, async () => {
      expect(await output(name, ...args)).toBe(result);
    });
  }

  const known = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/google-chrome'];
  const chromium = known.find((path) => path !== undefined && existsSync(path));
  if (!chromium) process.stdout.write('no Chromium: the SDK is not tried in a browser\n');
  (chromium ? it : it.skip)('works in a page and in a worker of a browser', async () => {
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'profile')}`];
    const browser = spawn(chromium ?? '', [...flags, url], { stdio: 'ignore' });
    const ended = once(browser, 'exit');
    while (reported.length < 2 && browser.exitCode === null) await pause(50);
    browser.kill();
    await ended;
    expect(reported.sort()).toEqual([`page: ${result}`, `worker: ${result}`]);
  });
});
