import { describe, expect, it } from '@jest/globals';
import { outgoingFetch } from './outgoing.js';

describe('outgoingFetch', () => {
  it.each(['operators', 'users'] as const)('calls no internal address, in any spelling by %s', async (to) => {
    const { startCanary, hostileAddresses, hostileUrls } = await import('@lensforge/egress/testing');
    const canary = await startCanary();
    const call = outgoingFetch({ to, allow: '', firstByteMs: 1000, idleMs: 1000 });
    const hosts = hostileAddresses.flatMap((host) => [`https://${host}:${canary.port}/`, `https://${host}/`]);
    const spelled = hostileUrls.map((url) => url.replaceAll('HOST', `127.0.0.1:${canary.port}`));
    for (const url of [...hosts, ...hosts.map((each) => each.replace('https:', 'http:')), ...spelled]) {
      const failure = await call(url, { method: 'POST', body: 'x' }).catch((error: unknown) => error);
      const fault = expect.stringMatching(/^(address|url)_not_allowed$/);
      expect([url, failure]).toEqual([url, expect.objectContaining({ fault })]);
    }
    expect(canary.connections()).toBe(0);
    canary.close();
  });
});
