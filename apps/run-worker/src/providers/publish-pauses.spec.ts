import { describe, expect, it } from '@jest/globals';
import { StoppedClock } from '../../test/stopped-clock.js';
import { cooldownName, providersByKey, rateLimitKey } from './providers.js';
import { listPauses } from './publish-pauses.js';

describe('listPauses', () => {
  it('names the model of the platform key, and only counts BYOK keys', async () => {
    const clock = new StoppedClock();
    const providers = providersByKey([], clock.timing);
    const { cooldowns, limiter } = providers;
    const [platform, one, other] = [undefined, { apiKey: 'secret one' }, { apiKey: 'secret other' }].map((byok) =>
      rateLimitKey('openai', byok),
    ) as [string, string, string];
    expect(listPauses(providers)).toEqual([]);

    cooldowns.failed(cooldownName(platform, 'large model'), 'unavailable');
    limiter.refused(platform, 5000);
    cooldowns.failed(cooldownName(one, 'mine'), 'unpaid');
    await clock.go(1000);
    cooldowns.failed(cooldownName(other, 'theirs'), 'limited');
    const pauses = listPauses(providers);

    const since = Date.now() - 1000;
    const about = (ms: number): unknown => expect.closeTo(since + ms, -3);
    const all = { provider: 'openai', failures: 1, waitingCalls: 0 };
    expect(pauses).toEqual([
      {
        ...all,
        byok: false,
        model: 'large model',
        keys: 1,
        reason: 'unavailable',
        since: about(0),
        until: about(2000),
      },
      { ...all, byok: true, model: null, keys: 2, reason: 'limited', since: about(0), until: about(3000) },
      { ...all, byok: false, model: null, keys: 1, reason: 'limited', since: about(0), until: about(5000) },
    ]);
    expect(JSON.stringify(pauses)).not.toMatch(/mine|theirs|#/);
  });
});
