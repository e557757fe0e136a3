import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEndpoint } from '@lensforge/webhooks';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { until, startWebhookReceiver } from '@lensforge/testing';
import { Webhook } from 'standardwebhooks';
import { nothingFound } from './audit.js';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open();
});
afterAll(() => setup.close());

it('services release the memory of their start', async () => {
  const { postgres: _postgres, redis: _redis, ...services } = setup.platform.pids;
  const unusedMb = async (name: string): Promise<number> => {
    const text = await (await fetch(`${setup.platform.urlOf(name)}/metrics`)).text();
    const sizes = ['total', 'used'].map((size) =>
      new RegExp(`^nodejs_heap_size_${size}_bytes.* (.+)$`, 'm').exec(text),
    );
    const [total, used] = sizes.map((line) => Number(line?.[1]));
    return ((total ?? Number.NaN) - (used ?? Number.NaN)) / 1e6;
  };
  for (const name of Object.keys(services)) {
    const isSmall = until(async () => (await unusedMb(name)) < 15, { what: `a small heap of ${name}` });
    await expect(isSmall).resolves.toBe(true);
  }
});

describe('a run from end to end', () => {
  it('is accepted over REST, executed, followed over SSE and delivered by a signed webhook', async () => {
    const receiver = await startWebhookReceiver();
    const secret = await subscribe(receiver.url);
    const runId = await setup.accepted({ body: { params: { Name: 'Grace' } } });

    const seen: string[] = [];
    const pieces: string[] = [];
    for await (const { event, data } of setup.follow(runId)) {
      seen.push(String(event));
      const { payload } = JSON.parse(data) as { payload: { text?: string } };
      if (payload.text !== undefined) pieces.push(payload.text);
    }
    expect(seen[0]).toBe('run.queued');
    expect(seen[1]).toBe('run.started');
    expect(seen.slice(-3)).toEqual(['artifact.created', 'run.succeeded', 'done']);

    const { data: run } = (await setup.call('GET', `/v1/runs/${runId}`)).body;
    expect(run).toMatchObject({
      status: 'succeeded',
      providerKey: 'offline',
      modelKey: 'echo',
      billingStatus: 'none',
      creditCost: 0,
    });
    const [artifact] = run?.['artifacts'] as { artifactKind: string; contentText: string; isPrimaryOutput: boolean }[];
    expect(artifact).toMatchObject({ artifactKind: 'text', isPrimaryOutput: true });
    expect(artifact?.contentText).toContain('Tell Grace about the journey');
    expect(pieces.join('')).toBe(artifact?.contentText);

    const sentWebhook = await until(() => receiver.requests.find(({ body }) => body.includes(runId)), {
      what: 'the webhook',
    });
    new Webhook(secret).verify(sentWebhook.body, sentWebhook.headers as Record<string, string>);
    expect(JSON.parse(sentWebhook.body.toString())).toMatchObject({
      id: sentWebhook.headers['x-service-event-id'],
      event: 'run.completed',
      data: { runId, workflowId: null, status: 'succeeded', cost: 0 },
    });
    expect(setup.platform.recentLines.join('\n')).not.toContain(secret);
    await receiver.close();
    expect(await setup.findings()).toEqual(nothingFound);
  });

  it('reports a failure in the same way, with a message for users', async () => {
    const runId = await setup.accepted({ script: { fail: 'the model is tired' } });
    await setup.allEnded();
    const { data: run } = (await setup.call('GET', `/v1/runs/${runId}`)).body;
    expect(run).toMatchObject({ status: 'failed', errorCode: 'PROVIDER_FAILED', artifacts: [] });
    expect(String(run?.['errorMessage'])).toContain('the model is tired');
    expect(String(run?.['errorMessage'])).not.toMatch(/\n\s+at /);
  });

  async function subscribe(url: string): Promise<string> {
    const ring = keyRing(readMasterKeys(setup.masterKey));
    const { secret } = await createEndpoint(setup.ctx, { url, events: ['run.completed'] }, ring);
    return secret;
  }
});
