import type { Issue } from '@lensforge/contracts';
import { flag, integer, text } from '@lensforge/contracts';
import type { Risk } from '@lensforge/edge';
import { RateEnvironment } from '@lensforge/edge';
import { masterKeysFault } from '@lensforge/vault';

const key = { min: 1, max: 2000, pattern: /^\S+$/, optional: true } as const;
const url = { pattern: /^https?:\/\/\S+$/, max: 2000, optional: true } as const;

export class RunWorkerEnvironment extends RateEnvironment {
  @integer({
    min: 1,
    max: 1000,
    description:
      'Runs that this process executes at once; more than an account may have at once, so that none fills it alone.',
  })
  LENSFORGE_RUN_CONCURRENCY = 60;

  @integer({
    min: 1,
    max: 50,
    description: 'Runs that lost two workers are executed so many at once, each in a process.',
  })
  LENSFORGE_RUN_ISOLATED_CONCURRENCY = 1;

  @integer({ min: 1, max: 5000, description: 'Nodes of workflows that this process executes at once.' })
  LENSFORGE_NODE_CONCURRENCY = 50;

  @integer({ min: 1000, max: 86_400_000, description: 'How long a node may take that says nothing of it.' })
  LENSFORGE_NODE_TIMEOUT_MS = 120_000;

  @flag({ description: 'Lets http nodes call private addresses and any port; for development only.' })
  LENSFORGE_HTTP_NODES_ALLOW_PRIVATE = false;

  @integer({ min: 1000, max: 600_000, description: 'How long a run stays with a worker that is not heard of.' })
  LENSFORGE_RUN_LEASE_MS = 12_000;

  @integer({ min: 100, max: 200_000, description: 'How often a worker is heard of.' })
  LENSFORGE_RUN_HEARTBEAT_MS = 3000;

  @integer({ min: 50, max: 600_000, description: 'How often each worker looks for runs that nobody ends.' })
  LENSFORGE_RECONCILE_MS = 1000;

  @integer({
    min: 0,
    max: 36_500,
    description: 'How many days runs are kept, by whole months, with their events and artifacts; 0: for ever.',
  })
  LENSFORGE_RUN_RETENTION_DAYS = 90;

  @integer({ min: 1000, max: 3_600_000, description: 'How often each worker looks whether what must never be is not.' })
  LENSFORGE_INVARIANTS_MS = 60_000;

  @text({ ...key, description: 'Opens models of openai to runs that credits pay for.' })
  LENSFORGE_OPENAI_API_KEY?: string;

  @text({ ...url, description: 'Where openai is reached, when not at its own address; ends in /v1.' })
  LENSFORGE_OPENAI_BASE_URL?: string;

  @text({ ...key, description: 'Opens models of anthropic to runs that credits pay for.' })
  LENSFORGE_ANTHROPIC_API_KEY?: string;

  @text({ ...url, description: 'Where anthropic is reached, when not at its own address; ends in /v1.' })
  LENSFORGE_ANTHROPIC_BASE_URL?: string;

  @text({ ...key, description: 'Opens models of google to runs that credits pay for.' })
  LENSFORGE_GOOGLE_API_KEY?: string;

  @text({ ...url, description: 'Where google is reached, when not at its own address; ends in /v1beta.' })
  LENSFORGE_GOOGLE_BASE_URL?: string;

  @text({
    ...url,
    description: 'A server that speaks chat completions, such as Ollama or vLLM; opens openai-compatible.',
  })
  LENSFORGE_OPENAI_COMPATIBLE_BASE_URL?: string;

  @text({ ...key, description: 'The key of that server, if it asks for one.' })
  LENSFORGE_OPENAI_COMPATIBLE_API_KEY?: string;

  @integer({ min: 100, max: 3_600_000, description: 'How long a provider may take to begin its answer.' })
  LENSFORGE_PROVIDER_FIRST_BYTE_MS = 60_000;

  @integer({ min: 100, max: 3_600_000, description: 'How long a provider may be silent in the middle of its answer.' })
  LENSFORGE_PROVIDER_IDLE_MS = 60_000;

  @text({
    min: 1,
    max: 2000,
    optional: true,
    description:
      'Opens the keys that users have lent: 32 random bytes in base64, or several as 1:key,2:key. No other service has it.',
  })
  LENSFORGE_BYOK_MASTER_KEY?: string;

  @flag({ description: 'Lets a prompt end the worker through the offline provider; for tests only.' })
  LENSFORGE_OFFLINE_EXIT = false;

  override faults(): Issue[] {
    const faults = super.faults();
    if (this.LENSFORGE_RUN_HEARTBEAT_MS * 2 > this.LENSFORGE_RUN_LEASE_MS) {
      const message = `must be at most half of LENSFORGE_RUN_LEASE_MS (${this.LENSFORGE_RUN_LEASE_MS}), or leases end by chance`;
      faults.push({ path: 'LENSFORGE_RUN_HEARTBEAT_MS', message });
    }
    if (this.production && this.LENSFORGE_OFFLINE_EXIT) {
      faults.push({ path: 'LENSFORGE_OFFLINE_EXIT', message: 'is not for production' });
    }
    return [...faults, ...addressFaults(this), ...masterKeyFaults(this)];
  }

  override risks(): Risk[] {
    if (!this.LENSFORGE_HTTP_NODES_ALLOW_PRIVATE) return [];
    const message = 'lets workflows of users call private addresses and any port';
    return [{ risk: 'private-addresses', path: 'LENSFORGE_HTTP_NODES_ALLOW_PRIVATE', message }];
  }
}

function masterKeyFaults({ LENSFORGE_BYOK_MASTER_KEY: keys }: RunWorkerEnvironment): Issue[] {
  const message = keys === undefined ? undefined : masterKeysFault(keys);
  return message === undefined ? [] : [{ path: 'LENSFORGE_BYOK_MASTER_KEY', message }];
}

const addresses = [
  'LENSFORGE_OPENAI_BASE_URL',
  'LENSFORGE_ANTHROPIC_BASE_URL',
  'LENSFORGE_GOOGLE_BASE_URL',
  'LENSFORGE_OPENAI_COMPATIBLE_BASE_URL',
] as const;

/** What would be refused at the first call is said at boot, as far as an address says it. */
function addressFaults(environment: RunWorkerEnvironment): Issue[] {
  if (environment.LENSFORGE_EGRESS_ALLOW !== '') return [];
  const message = 'must be https, unless LENSFORGE_EGRESS_ALLOW lists the network of your own that it is in';
  return addresses.flatMap((path) => (environment[path]?.startsWith('http:') ? [{ path, message }] : []));
}
