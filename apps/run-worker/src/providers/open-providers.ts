import { Counter, type Registry } from 'prom-client';
import type { RunWorkerEnvironment } from '../environment.js';
import { anthropicProvider } from './anthropic.js';
import { googleProvider } from './google.js';
import { offlineProvider } from './offline.js';
import { openaiCompatibleProvider } from './openai-compatible.js';
import { openaiProvider } from './openai.js';
import { outgoingFetch } from './outgoing.js';
import type { Provider } from './provider.js';
import { type Providers, providersByKey } from './providers.js';

/** Opens the providers of this environment, and those that need a BYOK key. */
export function openProviders(environment: RunWorkerEnvironment, registry: Registry): Providers {
  const limits = {
    allow: environment.LENSFORGE_EGRESS_ALLOW,
    firstByteMs: environment.LENSFORGE_PROVIDER_FIRST_BYTE_MS,
    idleMs: environment.LENSFORGE_PROVIDER_IDLE_MS,
  };
  const fetch = outgoingFetch({ ...limits, to: 'operators' });
  const fetchForUsers = outgoingFetch({ ...limits, to: 'users' });
  const access = (apiKey: string | undefined, baseUrl: string | undefined) => ({ apiKey, baseUrl, fetch });
  const providers: Provider[] = [
    offlineProvider({ exit: environment.LENSFORGE_OFFLINE_EXIT ? () => process.exit(86) : undefined }),
    openaiProvider(access(environment.LENSFORGE_OPENAI_API_KEY, environment.LENSFORGE_OPENAI_BASE_URL)),
    anthropicProvider(access(environment.LENSFORGE_ANTHROPIC_API_KEY, environment.LENSFORGE_ANTHROPIC_BASE_URL)),
    googleProvider(access(environment.LENSFORGE_GOOGLE_API_KEY, environment.LENSFORGE_GOOGLE_BASE_URL)),
    openaiCompatibleProvider({
      ...access(environment.LENSFORGE_OPENAI_COMPATIBLE_API_KEY, environment.LENSFORGE_OPENAI_COMPATIBLE_BASE_URL),
      fetchForUsers,
    }),
  ];
  const opened = providersByKey(providers);
  const calls = new Counter({
    name: 'lensforge_provider_calls_total',
    help: 'Calls to providers, by outcome: answered or the kind of the fault',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
  });
  opened.onOutcome = (provider, outcome) => calls.inc({ provider, outcome });
  return opened;
}
