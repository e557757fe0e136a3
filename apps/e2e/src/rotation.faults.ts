import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createByokKey } from '@lensforge/byok';
import { aMasterKey } from '@lensforge/byok/testing';
import type { ByokKey } from '@lensforge/contracts';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { type WebhookReceiver, startWebhookReceiver } from '@lensforge/testing';
import { keyRing, open, seal, readKeyVersion } from '@lensforge/vault';
import { createEndpoint } from '@lensforge/webhooks';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, atRate } from './test-platform.js';

/** Rotates both master keys while runs use BYOK keys and webhooks are signed; each rotation is killed once. */
const operate = fileURLToPath(new URL('../../../bundle/lensforge-operate.js', import.meta.url));
const keyCount = 300;
const accounts = 8;
const endpointsOfEach = 40;

const [first, second] = [aMasterKey(1), aMasterKey(2)];
const [old, both, newest] = [keyRing([first]), keyRing([first, second]), keyRing([second])];
const written = (...keys: (typeof first)[]): string => keys.map(({ version, key }) => `${version}:${key}`).join(',');

let setup: TestPlatform;
let receiver: WebhookReceiver;
let provider: Server;
let byokFile: string;
const authorizations: string[] = [];

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  provider = createServer((request, response) => {
    authorizations.push(request.headers.authorization ?? '');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(answer);
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  byokFile = join(await mkdtemp(join(tmpdir(), 'rotation-')), 'byok.keys');
  await writeFile(byokFile, written(first));
  setup = await TestPlatform.open({
    replicas: { 'run-worker': 2 },
    environment: {
      LENSFORGE_MASTER_KEY: written(first, second),
      LENSFORGE_BYOK_MASTER_KEY_FILE: byokFile,
      LENSFORGE_OPENAI_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
      LENSFORGE_EGRESS_ALLOW: 'loopback',
      LENSFORGE_WEBHOOKS_ALLOW_PRIVATE: 'true',
    },
  });
});
afterAll(async () => {
  await setup.close();
  await receiver.close();
  provider.closeAllConnections();
  provider.close();
});

const frames = [
  {
    type: 'response.created',
    response: { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'in_progress' },
  },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'message', id: 'm', role: 'assistant', content: [] },
  },
  { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hello' },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { type: 'message', id: 'm', role: 'assistant', content: [] },
  },
  {
    type: 'response.completed',
    response: {
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'm',
      status: 'completed',
      incomplete_details: null,
      usage: {
        input_tokens: 1,
        input_tokens_details: {},
        output_tokens: 1,
        output_tokens_details: {},
        total_tokens: 2,
      },
    },
  },
];
const answer = frames.map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`).join('');

/** Runs a command of operators; with `killed`, it is killed after its first progress. */
async function runOperate(command: string, environment: Record<string, string>, killed = false) {
  const child = spawn(process.execPath, [operate, command], {
    env: { ...process.env, DATABASE_URL: setup.platform.databaseUrl, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (killed && output.includes('re-encrypted')) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, output };
}

const count = async (sql: string): Promise<number> =>
  (await setup.db.query<[{ n: number }]>(`select count(*)::int as n from ${sql}`))[0].n;
const withOld = (column: string, table: string): Promise<number> =>
  count(`${table} where substring(${column} from 2 for 4) = '\\x00000001'`);

/** The number of values that are sealed with the old master key. */
async function countOld(): Promise<number> {
  let old = 0;
  for (const [column, table] of [
    ['private_key', 'signing_keys'],
    ['secret', 'webhook_endpoints'],
    ['secret', 'incoming_webhooks'],
    ['bundle', 'partner_bundles'],
  ] as const) {
    old += await withOld(column, table);
  }
  return old;
}

it('a rotation of master keys keeps all values readable, and the old keys are no longer needed', async () => {
  const keys: ByokKey[] = [];
  for (let n = 0; n < keyCount; n += 1) {
    const secret = `sk-rotation-${n}-${'x'.repeat(20)}`;
    keys.push(await createByokKey(setup.ctx, { provider: 'openai', label: `${n}`, secret, limit: keyCount }));
  }
  const order = { url: `${receiver.url}/hooks`, events: ['run.completed' as const] };
  for (let n = 0; n < 5; n += 1) await createEndpoint(setup.ctx, order, old);
  for (let n = 0; n < accounts; n += 1) {
    const ctx = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    for (let each = 0; each < endpointsOfEach; each += 1) await createEndpoint(ctx, order, old);
  }
  for (const { kid, sealed } of await setup.db.query<{ kid: string; sealed: Buffer }[]>(
    'select kid, private_key as sealed from signing_keys',
  )) {
    const place = { table: 'signing_keys', column: 'private_key', id: kid, owner: 'platform' };
    const again = readKeyVersion(sealed) === 1 ? sealed : seal(old, place, open(both, place, sealed));
    await setup.db.query('update signing_keys set private_key = $2 where kid = $1', [kid, again]);
  }
  expect(await withOld('secret', 'webhook_endpoints')).toBe(accounts * endpointsOfEach + 5);

  const used = new Set<string>();
  const load = atRate(8, async (n) => {
    const key = keys[(n * 37) % keys.length];
    used.add(`Bearer sk-rotation-${key?.label}-${'x'.repeat(20)}`);
    const body = { params: { Name: 'Ada' }, fundingSource: 'user_byok_cloud', byokKeyRefId: key?.id };
    return setup.accepted({ body });
  });
  const rings = { LENSFORGE_MASTER_KEY: written(first, second) };
  const all = await countOld();
  const interrupted = await runOperate('rotate-master', rings, true);
  expect(interrupted).toMatchObject({ code: null, signal: 'SIGKILL' });
  const left = await countOld();
  const finished = await runOperate('rotate-master', rings);
  expect(finished).toMatchObject({ code: 0, output: expect.stringContaining('; 0 remain on older ones') });
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(all);

  const restartWorkers = async (): Promise<void> => {
    for (const index of [0, 1]) await setup.platform.restart('run-worker', index);
  };
  await writeFile(byokFile, written(first, second));
  await restartWorkers();
  const file = { LENSFORGE_BYOK_MASTER_KEY_FILE: byokFile };
  expect(await runOperate('rotate-byok-master', file, true)).toMatchObject({ code: null, signal: 'SIGKILL' });
  const leftOfKeys = await count('byok_keys where key_pair = 1');
  expect(leftOfKeys).toBeGreaterThan(0);
  expect(leftOfKeys).toBeLessThan(keyCount);
  expect(await runOperate('rotate-byok-master', file)).toMatchObject({
    code: 0,
    output: expect.stringContaining('; 0 remain on older'),
  });
  await writeFile(byokFile, written(second));
  await restartWorkers();
  await new Promise((resolve) => setTimeout(resolve, 3000));

  const runIds = await load.stop();
  await setup.allEnded();
  const ends = await setup.db.query<{ status: string; code: string | null }[]>(
    'select status, error_code as code from runs where id = any ($1)',
    [runIds],
  );
  expect(countBy(ends.map(({ status, code }) => code ?? status))).toEqual({ succeeded: runIds.length });
  expect(authorizations.filter((authorization) => !used.has(authorization))).toEqual([]);
  expect(await setup.findings()).toEqual(nothingFound);
  await receiver.receive(runIds.length * 5, 120_000);
  expect(await count(`webhook_attempts where error = 'secret_unreadable'`)).toBe(0);

  expect(await countOld()).toBe(0);
  expect(await withOld('private_key', 'byok_key_pairs')).toBe(0);
  expect(await count('byok_keys where key_pair < 2')).toBe(0);
  const kids = await setup.db.query<{ kid: string; sealed: Buffer }[]>(
    'select kid, private_key as sealed from signing_keys',
  );
  for (const { kid, sealed } of kids) {
    open(newest, { table: 'signing_keys', column: 'private_key', id: kid, owner: 'platform' }, sealed);
  }
  process.stdout.write(
    `${runIds.length} runs with BYOK keys and ${receiver.requests.length} signed deliveries during the rotations\n`,
  );
});
