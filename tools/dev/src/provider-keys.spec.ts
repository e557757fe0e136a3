import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Home, openHome } from './home.js';
import { keepProviderKeys, providerEnvironment, providersIn } from './provider-keys.js';

describe('the keys of providers', () => {
  let folder: string;
  let home: Home;
  const file = (): string => join(folder, 'provider-keys.json');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge keys '));
    home = await openHome(folder);
  });
  afterAll(async () => {
    await home.leave();
    await rm(folder, { recursive: true, force: true });
  });

  it('are stored encrypted, and known at the next start beside new ones', async () => {
    await keepProviderKeys(home, { openai: { key: 'sk-first-secret' } });
    expect(await readFile(file(), 'utf8')).not.toContain('sk-first-secret');
    expect(await keepProviderKeys(home, { google: { key: 'AIza-secret' } })).toEqual({
      openai: { key: 'sk-first-secret' },
      google: { key: 'AIza-secret' },
    });
  });

  it('that cannot be opened are named with the way out', async () => {
    await writeFile(file(), JSON.stringify({ openai: 'AAAA' }));
    await expect(keepProviderKeys(home, {})).rejects.toThrow(/The key of openai in .* --with openai/);
  });

  it('become settings of run-workers', () => {
    const local = { 'openai-compatible': { baseUrl: 'http://127.0.0.1:11434/v1' } } as const;
    expect(providerEnvironment(local)).toEqual({
      LENSFORGE_OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:11434/v1',
      LENSFORGE_EGRESS_ALLOW: 'loopback',
    });
    const settings = providerEnvironment({ anthropic: { key: 'k' }, openai: { key: 'o' } });
    expect(settings).toEqual({ LENSFORGE_ANTHROPIC_API_KEY: 'k', LENSFORGE_OPENAI_API_KEY: 'o' });
    expect(providersIn({ ...settings, ...providerEnvironment(local) })).toEqual([
      'openai',
      'anthropic',
      'openai-compatible',
    ]);
  });
});
