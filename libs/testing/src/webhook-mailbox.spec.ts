import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mailbox } from './index.js';
import { webhookMailbox } from './index.js';

describe('a webhook mailbox', () => {
  let mailbox: Mailbox;
  const post = (body: string, more: RequestInit = {}): Promise<Response> =>
    fetch(mailbox.url, { method: 'POST', body, redirect: 'manual', ...more });

  beforeEach(async () => {
    mailbox = await webhookMailbox();
  });
  afterEach(() => mailbox.close());

  it('keeps the exact bytes and the headers', async () => {
    await post('{"a": 1 }\n', { headers: { 'x-service-signature': 'sha256=00' } });
    const [letter] = await mailbox.receive();
    expect(letter).toMatchObject({ method: 'POST', path: '/hooks', headers: { 'x-service-signature': 'sha256=00' } });
    expect(letter?.body.toString()).toBe('{"a": 1 }\n');
  });

  it('answers as it is told, one delivery each, then as usual', async () => {
    mailbox.next({ status: 500 }, { status: 429, headers: { 'retry-after': '3' } }, { redirect: 'http://127.0.0.1/' });
    const answers = [await post('1'), await post('2'), await post('3'), await post('4')];
    expect(answers.map(({ status }) => status)).toEqual([500, 429, 307, 200]);
    expect(answers[1]?.headers.get('retry-after')).toBe('3');
    expect(answers[2]?.headers.get('location')).toBe('http://127.0.0.1/');
    expect(mailbox.letters).toHaveLength(4);
  });

  it('hangs and hangs up', async () => {
    mailbox.always('hang');
    const patience = new AbortController();
    const hung = post('1', { signal: patience.signal });
    await mailbox.receive(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    patience.abort();
    await expect(hung).rejects.toMatchObject({ name: 'AbortError' });
    mailbox.always('cut');
    await expect(post('2')).rejects.toThrow('fetch failed');
    expect(await mailbox.receive(2)).toHaveLength(2);
  });

  it('says how many letters came when one does not', async () => {
    await post('1');
    await expect(mailbox.receive(2, 50)).rejects.toThrow('letter 2 (1 so far) did not come about within 50 ms');
  });
});
