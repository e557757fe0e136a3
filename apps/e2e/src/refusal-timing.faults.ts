import { createHmac } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { createIncomingWebhook } from '@lensforge/webhooks';
import { newId } from '@lensforge/core';
import { knownServices } from '@lensforge/dev';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  setup = await TestPlatform.open({
    services: knownServices('api-gateway'),
    signIn: false,
  });
});
afterAll(async () => {
  agent.destroy();
  await setup.close();
});

const samples = 5000;
const warmUp = 300;
const maxMs = 1;

const body = '{"params":{}}';
const signature = `sha256=${createHmac('sha256', 'another').update(body).digest('hex')}`;

interface Refusal {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  ms: number;
}

const knock = (at: string, proof: Record<string, string>): Promise<Refusal> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    const headers = { 'content-type': 'application/json', ...proof };
    const url = `${setup.platform.urlOf('api-gateway')}/v1/webhooks/${at}`;
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => {
        const ms = performance.now() - begun;
        resolve({ status: answer.statusCode, headers: answer.headers, body: text, ms });
      });
    });
    sent.on('error', reject).end(body);
  });

/** The visible parts of a response, without those that differ between any two responses. */
function seen({ status, headers, body }: Refusal): unknown {
  const own = ['date', 'x-request-id', 'content-length', 'ratelimit-remaining', 'ratelimit-reset'];
  const { 'x-request-id': requestId } = headers;
  const same = Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
  return { status, headers: same, body: body.replace(String(requestId), '').replace(/"durationMs":\d+/, '') };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

describe('a refusal', () => {
  it.each([
    ['a secret', { 'x-webhook-secret': 'another' }],
    ['a signature', { 'x-webhook-signature': signature }],
  ])('of %s does not reveal by its content or time that a webhook exists', async (_, proof) => {
    const ring = keyRing(readMasterKeys(setup.masterKey));
    const { id } = await createIncomingWebhook(setup.ctx, { workflowId: newId(), name: 'x' }, ring);
    const targets = ['real', 'unknown', 'malformed'] as const;
    const times = { real: [] as number[], unknown: [] as number[], malformed: [] as number[] };
    const expected = seen(await knock(id, proof));
    expect(expected).toMatchObject({ status: 401 });
    for (let n = 0; n < samples + warmUp; n += 1) {
      // Rotates the order, so that no kind is always first.
      for (let turn = 0; turn < 3; turn += 1) {
        const target = targets[(n % 2 === 0 ? n + turn : n + 3 - turn) % 3] ?? 'real';
        const at = { real: id, unknown: newId(), malformed: 'not-an-id-at-all' }[target];
        const answer = await knock(at, proof);
        if (n < warmUp) expect(seen(answer)).toEqual(expected);
        else times[target].push(answer.ms);
        if (answer.status !== 401) throw new Error(`${target}: ${answer.status}`);
      }
    }
    const medians = Object.values(times).map(median);
    const figures = Object.keys(times).map((target, at) => `${target} ${medians[at]?.toFixed(3)}`);
    process.stdout.write(`refusals, median ms of ${samples}: ${figures.join(', ')}\n`);
    // The samples are interleaved, so other load affects all three alike.
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(maxMs);
  });
});
