import { newId } from '@lensforge/core';
import { egress, egressPolicy } from '@lensforge/egress';
import { startCanary, hostileAddresses, hostileUrls } from '@lensforge/egress/testing';
import { seal } from '@lensforge/vault';
import type { Claim } from '@lensforge/webhooks';
import { aKeyRing } from '@lensforge/webhooks/testing';
import { expect, it } from '@jest/globals';
import { WebhookSender } from './webhook-sender.js';

it('WebhookSender sends nothing to internal addresses, in any spelling', async () => {
  const canary = await startCanary();
  const [ring, id, owner] = [aKeyRing(), newId(), newId()];
  const secret = seal(ring, { table: 'webhook_endpoints', column: 'secret', id, owner }, 'whsec_x');
  const claim: Claim = {
    deliveryId: newId(),
    endpointId: id,
    accountId: owner,
    eventId: newId(),
    type: 'run.completed',
    url: '',
    body: Buffer.from('{"id":"x"}'),
    secret,
    previousSecret: null,
    attempt: 1,
    tries: 0,
    requestId: null,
    traceparent: null,
    slot: 0,
  };
  const sender = new WebhookSender(egress(egressPolicy({ allowHttp: true, ports: 'any' })), ring, () => new Date());
  const hosts = hostileAddresses.flatMap((host) => [
    `https://${host}:${canary.port}/`,
    `http://${host}:${canary.port}/`,
  ]);
  const spelled = hostileUrls.map((url) => url.replaceAll('HOST', `127.0.0.1:${canary.port}`));
  for (const url of [...hosts, ...spelled]) {
    const attempt = await sender.send({ ...claim, url }, new AbortController().signal);
    const error = expect.stringMatching(/^(address|url)_not_allowed$/);
    expect([url, attempt]).toEqual([url, expect.objectContaining({ status: null, error })]);
  }
  expect(canary.connections()).toBe(0);
  canary.close();
});
