import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { askForProviders } from '../ask-for-providers.mjs';

const home = mkdtempSync(join(tmpdir(), 'lensforge ask '));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const ask = (providers, environment, fresh = false) => askForProviders(providers, { home, fresh, environment });

describe('npm start -- --with', () => {
  it('takes the key of the environment', async () => {
    const environment = { ANTHROPIC_API_KEY: 'sk-ant-12345' };
    expect(await ask(['anthropic'], environment)).toEqual({ anthropic: { key: 'sk-ant-12345', baseUrl: undefined } });
    const server = {
      LENSFORGE_OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1',
      LENSFORGE_OPENAI_COMPATIBLE_API_KEY: 'server-key',
    };
    expect(await ask(['openai-compatible'], server)).toEqual({
      'openai-compatible': { key: 'server-key', baseUrl: 'http://127.0.0.1:1/v1' },
    });
  });

  it('names the known providers for an unknown one, and what is wrong with a key or an address', async () => {
    await expect(ask(['opnai'], {})).rejects.toThrow('"opnai" names no provider: use openai, anthropic, google');
    await expect(ask(['openai'], { OPENAI_API_KEY: 'a b' })).rejects.toThrow('8 to 500 characters without spaces');
    const environment = { LENSFORGE_OPENAI_COMPATIBLE_BASE_URL: 'localhost' };
    await expect(ask(['openai-compatible'], environment)).rejects.toThrow('"localhost" is not the address');
  });

  it('asks once: a stored key is used until an empty database is wanted', async () => {
    writeFileSync(join(home, 'provider-keys.json'), '{"google":"sealed"}');
    expect(await ask(['google'], {})).toEqual({});
    expect(await ask(['google'], { GEMINI_API_KEY: 'AIza12345' }, true)).toMatchObject({
      google: { key: 'AIza12345' },
    });
  });
});
