import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type WebhookReceiver, startWebhookReceiver } from './index.js';

describe('startWebhookReceiver', () => {
  let receiver: WebhookReceiver;
  const post = (body: string, more: RequestInit = {}): Promise<Response> =>
    fetch(receiver.url, { method: 'POST', body, redirect: 'manual', ...more });

  beforeEach(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(() => receiver.close());

  it('records the exact bytes and headers', async () => {
    await post('{"a": 1 }\n', { headers: { 'x-service-signature': 'sha256=00' } });
    const [request] = await receiver.receive();
    expect(request).toMatchObject({ method: 'POST', path: '/hooks', headers: { 'x-service-signature': 'sha256=00' } });
    expect(request?.body.toString()).toBe('{"a": 1 }\n');
  });

  it('uses each response of `next` once, then the default response', async () => {
    receiver.next({ status: 500 }, { status: 429, headers: { 'retry-after': '3' } }, { redirect: 'http://127.0.0.1/' });
    const responses = [await post('1'), await post('2'), await post('3'), await post('4')];
    expect(responses.map(({ status }) => status)).toEqual([500, 429, 307, 200]);
    expect(responses[1]?.headers.get('retry-after')).toBe('3');
    expect(responses[2]?.headers.get('location')).toBe('http://127.0.0.1/');
    expect(receiver.requests).toHaveLength(4);
  });

  it('can leave a request unanswered or close its connection', async () => {
    receiver.always('hang');
    const controller = new AbortController();
    const unanswered = post('1', { signal: controller.signal });
    await receiver.receive(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    await expect(unanswered).rejects.toMatchObject({ name: 'AbortError' });
    receiver.always('cut');
    await expect(post('2')).rejects.toThrow('fetch failed');
    expect(await receiver.receive(2)).toHaveLength(2);
  });

  it('names the number of received requests when one is missing', async () => {
    await post('1');
    await expect(receiver.receive(2, 50)).rejects.toThrow('request 2 (1 so far) was not ready after 50 ms');
  });
});
