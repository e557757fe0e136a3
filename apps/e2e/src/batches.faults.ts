import { setTimeout as pause } from 'node:timers/promises';
import { grantTestCredits } from '@lensforge/credits/testing';
import { announceProviders, importModels } from '@lensforge/models';
import { type shapes, createClient } from '@lensforge/sdk';
import { type BatchProvider, type BatchServer, aBatchServer, until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { nothingFound } from './audit.js';
import { TestPlatform } from './test-platform.js';

/*
 * Experiments whose answers come from batch services, while workers and PostgreSQL die and the answers of the services get lost.
 * Every request is in one batch, every cell has one run, and each costs what its answer costs.
 */

const providers = ['openai', 'anthropic', 'google'] as const;
const experiments = 2;
const cases = 100;

const bases = { openai: '/v1', anthropic: '/v1', google: '/v1beta' };
const event = (value: { type: string; [member: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const openaiResponse = { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed' };

/** The answer `live` with the tokens of the answers of a batch. */
const frames: Record<BatchProvider, string[]> = {
  openai: [
    { type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta: 'live' },
    {
      type: 'response.completed',
      response: {
        ...openaiResponse,
        usage: {
          input_tokens: 10,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 4,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 14,
        },
      },
    },
  ].map(event),
  anthropic: [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 10, output_tokens: 0 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'live' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ].map(event),
  google: [
    `data: ${JSON.stringify({
      candidates: [{ content: { parts: [{ text: 'live' }], role: 'model' }, index: 0, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 },
    })}\n\n`,
  ],
};

let setup: TestPlatform;
const servers = new Map<BatchProvider, BatchServer>();

beforeAll(async () => {
  const environment: Record<string, string> = {
    LENSFORGE_BATCH_PACE_MS: '500',
    LENSFORGE_PROVIDER_FIRST_BYTE_MS: '2000',
    LENSFORGE_EGRESS_ALLOW: 'loopback',
  };
  for (const provider of providers) {
    const server = await aBatchServer(provider, { base: bases[provider], frames: frames[provider] });
    servers.set(provider, server);
    environment[`LENSFORGE_${provider.toUpperCase()}_API_KEY`] = 'sk-test';
    environment[`LENSFORGE_${provider.toUpperCase()}_BASE_URL`] = server.baseUrl;
    server.verdict = (text) => (/number \d*7\b/.test(text) ? 'errored' : { text: 'from a batch' });
    server.troubles = Array.from({ length: experiments }, () => 'lost answer');
  }
  setup = await TestPlatform.open({ replicas: { 'run-worker': 3 }, environment });
  const price = { creditsPer1kInput: 1000, creditsPer1kOutput: 1000, maxOutputTokens: 20 };
  await importModels(
    setup.ctx,
    providers.map((provider) => ({ provider, key: 'm', ...price, capabilities: ['stream' as const] })),
  );
  await announceProviders(setup.ctx.db, providers);
  await grantTestCredits(setup.ctx, setup.accountId, 1_000_000);
});
afterAll(async () => {
  await setup.close();
  for (const server of servers.values()) await server.close();
});

/** Batches end some seconds after they were sent. */
async function endBatches(isOpen: () => boolean): Promise<void> {
  while (isOpen()) {
    await pause(500);
    for (const { batches } of servers.values()) {
      for (const batch of batches) if (Date.now() - batch.createdAt.getTime() > 5000) batch.state = 'ended';
    }
  }
}

async function keepKilling(isOpen: () => boolean, kills: { workers: number; postgres: number }): Promise<void> {
  for (let round = 1; isOpen(); round += 1) {
    await pause(3000);
    await setup.signal('run-worker', 'SIGKILL');
    kills.workers += 1;
    if (round % 5 !== 0) continue;
    const pid = setup.pidOf('postgres');
    setup.platform.kill('postgres', 0, 'SIGQUIT');
    await until(() => ![undefined, pid].includes(setup.pidOf('postgres')));
    kills.postgres += 1;
  }
}

it('are paid once and lost never under kills', async () => {
  const client = createClient({ baseUrl: setup.platform.urlOf('api-gateway', 0), apiKey: setup.token, maxRetries: 20 });
  const lens = await client.lenses.create({
    title: 'Numbers',
    templateBody: 'Write one plain sentence about the number [[Number]] and say nothing else.',
  });
  const dataset = await client.datasets.create({ name: 'Numbers' });
  await client.datasets.changeCases(dataset.id, {
    save: Array.from({ length: cases }, (_, at) => ({
      key: String(at).padStart(4, '0'),
      params: { Number: String(at) },
    })),
  });
  let isOpen = true;
  const kills = { workers: 0, postgres: 0 };
  const killing = Promise.all([keepKilling(() => isOpen, kills), endBatches(() => isOpen)]);
  const started = Date.now();
  const ids: string[] = [];
  for (let at = 0; at < experiments; at += 1) {
    for (const provider of providers) {
      const order: shapes.ExperimentRequest = {
        name: `${provider} ${at}`,
        target: { lensId: lens.id },
        dataset: { id: dataset.id },
        arms: [{ modelOverride: `${provider}/m` }],
        scorers: [{ name: 'batch', kind: 'check', assertions: [{ type: 'contains', value: 'batch' }] }],
        service: 'batch',
      };
      ids.push((await client.experiments.create(order)).id);
    }
  }
  const ended = await Promise.all(
    ids.map((id) =>
      until(
        async () => {
          const found = await client.experiments.get(id).catch(() => undefined);
          return found?.completedAt === null ? undefined : found;
        },
        { what: 'the experiment to end' },
      ),
    ),
  );
  isOpen = false;
  await killing;
  const failing = Array.from({ length: cases }, (_, at) => at).filter((at) => at % 10 === 7).length;
  const cost = (cases - failing) * 7 + failing * 14;
  expect(ended.map(({ status, credits }) => ({ status, credits }))).toEqual(
    ended.map(() => ({ status: 'completed', credits: cost })),
  );
  const [stored] = await setup.db.query<[{ runs: number; cells: number; left: number }]>(
    `select (select count(*)::int from runs where cause ->> 'experimentId' = any (($1::uuid[])::text[])) as runs,
            (select count(distinct run_id)::int from experiment_cells where experiment_id = any ($1)) as cells,
            (select count(*)::int from batch_calls) as left`,
    [ids],
  );
  const sent = [...servers.values()].flatMap(({ batches }) => batches.flatMap(({ requests }) => requests));
  const batches = [...servers.values()].reduce((sum, server) => sum + server.batches.length, 0);
  const seconds = (Date.now() - started) / 1000;
  process.stdout.write(`batches: ${JSON.stringify({ seconds, kills, ...stored, batches, sent: sent.length })}\n`);
  expect(stored).toEqual({ runs: ids.length * cases, cells: ids.length * cases, left: 0 });
  expect(new Set(sent.map(({ customId }) => customId)).size).toBe(sent.length);
  expect(sent).toHaveLength(ids.length * cases);
  await setup.allEnded();
  expect(await setup.findings()).toEqual(nothingFound);
  await setup.invariantsHold();
});
