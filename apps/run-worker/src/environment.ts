import { type Issue, listFields, flag, integer, text } from '@lensforge/contracts';
import { RateEnvironment, type Risk, httpUrl, masterKeyText } from '@lensforge/edge';
import { masterKeysFault } from '@lensforge/vault';

const key = { min: 1, max: 2000, pattern: /^\S+$/, optional: true } as const;
const url = { ...httpUrl, optional: true } as const;

export class RunWorkerEnvironment extends RateEnvironment {
  @integer({
    min: 1,
    max: 1000,
    description:
      'Concurrent runs of this process; more than the slots of an account, so that no account fills it alone.',
  })
  LENSFORGE_RUN_CONCURRENCY = 60;

  @integer({
    min: 1,
    max: 50,
    description: 'Concurrent isolated runs: runs that have lost two workers, each in a process of its own.',
  })
  LENSFORGE_RUN_ISOLATED_CONCURRENCY = 1;

  @integer({ min: 1, max: 5000, description: 'Concurrent workflow nodes of this process.' })
  LENSFORGE_NODE_CONCURRENCY = 50;

  @integer({ min: 1, max: 50, description: 'Concurrent requests of one judging of a battle.' })
  LENSFORGE_JUDGING_CONCURRENCY = 4;

  @integer({ min: 1000, max: 86_400_000, description: 'The timeout of nodes without a timeout of their own.' })
  LENSFORGE_NODE_TIMEOUT_MS = 120_000;

  @flag({ description: 'Lets http nodes call private addresses and any port; for development only.' })
  LENSFORGE_HTTP_NODES_ALLOW_PRIVATE = false;

  @integer({ min: 1000, max: 300_000, description: 'The time limit of a call to an external MCP server.' })
  LENSFORGE_MCP_SERVER_TIMEOUT_MS = 30_000;

  @flag({ description: 'Lets external MCP servers have private addresses, http and any port; for development only.' })
  LENSFORGE_MCP_SERVERS_ALLOW_PRIVATE = false;

  @integer({ min: 1000, max: 600_000, description: 'How long a run stays with a worker that sends no heartbeat.' })
  LENSFORGE_RUN_LEASE_MS = 12_000;

  @integer({ min: 100, max: 200_000, description: 'How often a worker sends a heartbeat.' })
  LENSFORGE_RUN_HEARTBEAT_MS = 3000;

  @integer({ min: 50, max: 600_000, description: 'How often each worker looks for overdue runs and lost jobs.' })
  LENSFORGE_RECONCILE_MS = 1000;

  @integer({
    min: 0,
    max: 36_500,
    description: 'How many days runs are kept, by whole months, with their events and artifacts; 0: forever.',
  })
  LENSFORGE_RUN_RETENTION_DAYS = 90;

  @integer({ min: 1000, max: 3_600_000, description: 'How often each worker checks invariants.' })
  LENSFORGE_INVARIANTS_MS = 60_000;

  @integer({
    min: 0,
    max: 3_600_000,
    description: 'How long a refit of leaderboards waits for further changes after the first one.',
  })
  LENSFORGE_RATINGS_DELAY_MS = 10_000;

  @integer({
    min: 0,
    max: 86_400_000,
    description: 'The least time from one refit of the leaderboards of a battle type to the next.',
  })
  LENSFORGE_RATINGS_PAUSE_MS = 60_000;

  @integer({ min: 64, max: 65_536, description: 'The heap of the process that refits leaderboards, in MiB.' })
  LENSFORGE_RATINGS_MEMORY_MB = 768;

  @text({ ...key, description: 'The API key for models of openai in runs that credits pay for.' })
  LENSFORGE_OPENAI_API_KEY?: string;

  @text({ ...url, description: 'The base URL of openai when it is not the public one; ends in /v1.' })
  LENSFORGE_OPENAI_BASE_URL?: string;

  @text({ ...key, description: 'The API key for models of anthropic in runs that credits pay for.' })
  LENSFORGE_ANTHROPIC_API_KEY?: string;

  @text({ ...url, description: 'The base URL of anthropic when it is not the public one; ends in /v1.' })
  LENSFORGE_ANTHROPIC_BASE_URL?: string;

  @text({ ...key, description: 'The API key for models of google in runs that credits pay for.' })
  LENSFORGE_GOOGLE_API_KEY?: string;

  @text({ ...url, description: 'The base URL of google when it is not the public one; ends in /v1beta.' })
  LENSFORGE_GOOGLE_BASE_URL?: string;

  @text({
    ...url,
    description:
      'The base URL of a server with the chat completions API, such as Ollama or vLLM, for openai-compatible.',
  })
  LENSFORGE_OPENAI_COMPATIBLE_BASE_URL?: string;

  @text({ ...key, description: 'The API key of that server, if it needs one.' })
  LENSFORGE_OPENAI_COMPATIBLE_API_KEY?: string;

  @integer({ min: 100, max: 3_600_000, description: 'How long a provider may take to begin its answer.' })
  LENSFORGE_PROVIDER_FIRST_BYTE_MS = 60_000;

  @integer({ min: 100, max: 3_600_000, description: 'How long a provider may pause within its answer.' })
  LENSFORGE_PROVIDER_IDLE_MS = 60_000;

  @integer({
    min: 50,
    max: 3_600_000,
    description: 'How often a worker asks a provider about a batch of requests.',
  })
  LENSFORGE_BATCH_PACE_MS = 30_000;

  @text({
    ...masterKeyText,
    check: masterKeysFault,
    optional: true,
    description: 'Opens BYOK keys: 32 random bytes in base64, or several as 1:key,2:key. Only run-workers have it.',
  })
  LENSFORGE_BYOK_MASTER_KEY?: string;

  @flag({ description: 'Lets a prompt end the worker through the offline provider; for tests only.' })
  LENSFORGE_OFFLINE_EXIT = false;

  override faults(): Issue[] {
    const faults = super.faults();
    if (this.LENSFORGE_RUN_HEARTBEAT_MS * 2 > this.LENSFORGE_RUN_LEASE_MS) {
      const message = `must be at most half of LENSFORGE_RUN_LEASE_MS (${this.LENSFORGE_RUN_LEASE_MS}), or leases expire by chance`;
      faults.push({ path: 'LENSFORGE_RUN_HEARTBEAT_MS', message });
    }
    if (this.production && this.LENSFORGE_OFFLINE_EXIT) {
      faults.push({ path: 'LENSFORGE_OFFLINE_EXIT', message: 'is not allowed in production' });
    }
    return [...faults, ...addressFaults(this)];
  }

  override risks(): Risk[] {
    const risk = 'private-addresses';
    const message = 'lets users call private addresses and any port';
    const paths = ['LENSFORGE_HTTP_NODES_ALLOW_PRIVATE', 'LENSFORGE_MCP_SERVERS_ALLOW_PRIVATE'] as const;
    return paths.filter((path) => this[path]).map((path) => ({ risk, path, message }));
  }
}

/** Refuses addresses at startup that every call would refuse. */
function addressFaults(environment: RunWorkerEnvironment): Issue[] {
  if (environment.LENSFORGE_EGRESS_ALLOW !== '') return [];
  const message = 'must be https unless LENSFORGE_EGRESS_ALLOW lists the network of the address';
  const addresses = [...listFields(RunWorkerEnvironment).keys()].filter((name) => name.endsWith('_BASE_URL'));
  return addresses
    .filter((path) => String(Reflect.get(environment, path)).startsWith('http:'))
    .map((path) => ({ path, message }));
}
