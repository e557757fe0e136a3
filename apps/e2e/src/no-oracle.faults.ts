import { createHmac } from 'node:crypto';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { createIncomingWebhook } from '@lensforge/webhooks';
import { newId } from '@lensforge/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Stage } from './stage.js';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 120_000);
afterAll(() => stage.close(), 60_000);

const samples = 5000;
const warmUp = 300;
const most = 1;

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

describe('the time of a refusal', () => {
  it.each(['secret', 'signature'])(
    'does not tell whether there is a webhook (%s)',
    async (kind) => {
      const ring = keyRing(readMasterKeys(stage.masterKey));
      const { id } = await createIncomingWebhook(stage.ctx, { workflowId: newId(), name: 'x' }, ring);
      const body = '{"params":{}}';
      const signature = `sha256=${createHmac('sha256', 'another').update(body).digest('hex')}`;
      const proof = kind === 'secret' ? { 'x-webhook-secret': 'another' } : { 'x-webhook-signature': signature };
      const times: Record<string, number[]> = { real: [], unknown: [], malformed: [] };
      for (let n = 0; n < samples + warmUp; n += 1) {
        for (const [name, at] of Object.entries({ real: id, unknown: newId(), malformed: 'not-an-id-at-all' })) {
          const begun = performance.now();
          const answer = await fetch(`${stage.platform.urlOf('api-gateway')}/v1/webhooks/${at}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...proof },
            body,
          });
          await answer.text();
          if (n >= warmUp) times[name]?.push(performance.now() - begun);
          if (answer.status !== 401) throw new Error(`${name}: ${answer.status}`);
        }
      }
      const medians = Object.values(times).map(median);
      // Interleaved samples of one process: what the machine does otherwise happens to all three alike.
      expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(most);
    },
    600_000,
  );
});
