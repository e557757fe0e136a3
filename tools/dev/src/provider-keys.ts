import { type ByokProvider, byokProviders } from '@lensforge/contracts';
import { type SealContext, keyRing, open, readMasterKeys, seal } from '@lensforge/vault';
import type { Home } from './home.js';
import { StartupError } from './startup-error.js';

/** The key and address with which run-workers call a provider. */
export interface ProviderAccess {
  key?: string | undefined;
  /** Required for `openai-compatible`. */
  baseUrl?: string | undefined;
}

export type ProviderKeys = Partial<Record<ByokProvider, ProviderAccess>>;

export const providerKeysFile = 'provider-keys.json';

const createRing = ({ masterKey }: Home): ReturnType<typeof keyRing> => keyRing(readMasterKeys(masterKey));

const toSealContext = (provider: string): SealContext => ({
  table: providerKeysFile,
  column: 'key',
  id: provider,
  owner: 'npm start',
});

/** The keys that earlier starts stored, with the given ones, which it stores sealed under the master key of the folder. */
export async function keepProviderKeys(home: Home, given: ProviderKeys): Promise<ProviderKeys> {
  const ring = createRing(home);
  const stored = ((await home.read(providerKeysFile)) ?? {}) as Record<string, string>;
  for (const [provider, access] of Object.entries(given))
    stored[provider] = seal(ring, toSealContext(provider), JSON.stringify(access)).toString('base64');
  if (Object.keys(given).length > 0) await home.write(providerKeysFile, stored);
  const opened = Object.entries(stored).map(([provider, sealed]) => {
    try {
      return [
        provider,
        JSON.parse(open(ring, toSealContext(provider), Buffer.from(sealed, 'base64')).toString()),
      ] as const;
    } catch (cause) {
      throw new StartupError(
        `The key of ${provider} in ${home.path}/${providerKeysFile} cannot be opened: delete the file, and start with --with ${provider}.`,
        { cause },
      );
    }
  });
  return Object.fromEntries(opened);
}

const toSettingName = (provider: string, suffix: 'API_KEY' | 'BASE_URL'): string =>
  `LENSFORGE_${provider.toUpperCase().replaceAll('-', '_')}_${suffix}`;

const isLoopback = (url: string): boolean => /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);

/** The settings of run-workers for these keys. */
export function providerEnvironment(keys: ProviderKeys): Record<string, string> {
  const settings = Object.entries(keys).flatMap(([provider, { key, baseUrl }]) => [
    ...(key ? [[toSettingName(provider, 'API_KEY'), key]] : []),
    ...(baseUrl ? [[toSettingName(provider, 'BASE_URL'), baseUrl]] : []),
  ]);
  const isLocal = Object.values(keys).some(({ baseUrl }) => baseUrl && isLoopback(baseUrl));
  return Object.fromEntries([...settings, ...(isLocal ? [['LENSFORGE_EGRESS_ALLOW', 'loopback']] : [])]) as Record<
    string,
    string
  >;
}

/** The providers that run-workers with this environment can call, without `offline`. */
export const providersIn = (environment: NodeJS.ProcessEnv): ByokProvider[] =>
  byokProviders.filter(
    (provider) => environment[toSettingName(provider, provider === 'openai-compatible' ? 'BASE_URL' : 'API_KEY')],
  );
