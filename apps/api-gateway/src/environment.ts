import { MAX_MCP_SERVERS } from '@lensforge/agents';
import { MAX_BYOK_KEYS } from '@lensforge/byok';
import { MAX_COMMUNITIES } from '@lensforge/communities';
import { type Issue, flag, integer, text } from '@lensforge/contracts';
import {
  RateEnvironment,
  allOrNone,
  httpUrl,
  masterKeyText,
  perAccount,
  perMinute,
  replicaUrl,
  replicas,
} from '@lensforge/edge';
import { MAX_AI_LENSERS, MAX_CONNECTORS, MAX_TOKENS } from '@lensforge/identity';
import { masterKeysFault } from '@lensforge/vault';
import { MAX_ENDPOINTS, MAX_INCOMING_WEBHOOKS } from '@lensforge/webhooks';

export class GatewayEnvironment extends RateEnvironment {
  @text({
    ...masterKeyText,
    check: masterKeysFault,
    description:
      '32 random bytes in base64, or several as 1:key,2:key during a rotation; encrypts the secrets of accounts.',
  })
  LENSFORGE_MASTER_KEY!: string;

  @text(replicaUrl)
  DATABASE_REPLICA_URL?: string;

  @integer({
    min: 0,
    max: 5000,
    description: 'How long a read waits until the replica has all earlier commits, before it goes to the primary.',
  })
  DATABASE_REPLICA_WAIT_MS = 50;

  @integer({
    ...perMinute,
    description: 'Calls per minute and incoming webhook, and answers to waiting nodes per minute and network.',
  })
  LENSFORGE_RATE_INCOMING_PER_MINUTE = 60;

  @integer({ ...perAccount, description: 'Organisation tokens that a community can have.' })
  LENSFORGE_TOKENS_PER_ACCOUNT = MAX_TOKENS;

  @integer({ ...perAccount, description: 'Connectors that an account can have.' })
  LENSFORGE_CONNECTORS_PER_ACCOUNT = MAX_CONNECTORS;

  @integer({ ...perAccount, description: 'Communities that a person can own.' })
  LENSFORGE_COMMUNITIES_PER_ACCOUNT = MAX_COMMUNITIES;

  @integer({
    ...perAccount,
    description: 'Active AI lensers that a person can own. Must be the same for all services.',
  })
  LENSFORGE_AI_LENSERS_PER_OWNER = MAX_AI_LENSERS;

  @integer({ ...perAccount, description: 'Webhook endpoints that an account can have.' })
  LENSFORGE_WEBHOOK_ENDPOINTS_PER_ACCOUNT = MAX_ENDPOINTS;

  @integer({ ...perAccount, description: 'Incoming webhooks that an account can have.' })
  LENSFORGE_INCOMING_WEBHOOKS_PER_ACCOUNT = MAX_INCOMING_WEBHOOKS;

  @integer({ ...perAccount, description: 'BYOK keys that an account can have.' })
  LENSFORGE_BYOK_KEYS_PER_ACCOUNT = MAX_BYOK_KEYS;

  @integer({ ...perAccount, description: 'External MCP servers that an account can have.' })
  LENSFORGE_MCP_SERVERS_PER_ACCOUNT = MAX_MCP_SERVERS;

  @integer({ min: 1, max: 3650, description: 'Number of days for which calls of incoming webhooks are stored.' })
  LENSFORGE_INCOMING_LOG_DAYS = 30;

  @text({ pattern: /^[a-z][a-z0-9-]{0,39}$/, max: 40, description: 'The name of the registered partner.' })
  LENSFORGE_PARTNER_NAME = 'sandbox';

  @text({
    ...httpUrl,
    check: (url) => (URL.canParse(url) ? undefined : 'is not a URL'),
    optional: true,
    description: 'Base URL of the partner API; without it a built-in sandbox is the partner.',
  })
  LENSFORGE_PARTNER_BASE_URL?: string;

  @text({
    min: 16,
    max: 2000,
    optional: true,
    description: 'The secret with which the platform authenticates to the partner.',
  })
  LENSFORGE_PARTNER_SECRET?: string;

  @integer({ min: 100, max: 6000, description: 'Timeout for a whole response of the partner.' })
  LENSFORGE_PARTNER_TIMEOUT_MS = 3000;

  @integer({ min: 1, max: 86_400, description: 'Lifetime of access tokens of the sandbox partner.' })
  LENSFORGE_PARTNER_TOKEN_SECONDS = 3600;

  @integer({
    ...replicas,
    description:
      'Number of API gateways, at most: they share the free concurrency slots of accounts, and the limits of rates and event streams while Redis is unavailable.',
  })
  LENSFORGE_REPLICAS_API_GATEWAY = 1;

  @integer({
    min: 1000,
    max: 600_000,
    description: 'Lease of a run on a local runner; a runner extends it with each report.',
  })
  LENSFORGE_LOCAL_LEASE_MS = 30_000;

  @integer({
    ...perAccount,
    description:
      'Open event streams per account, and per network of callers without an account, not counting those of read tokens.',
  })
  LENSFORGE_STREAMS_PER_ACCOUNT = 200;

  @integer({ ...perAccount, description: 'Open event streams per read token.' })
  LENSFORGE_STREAMS_PER_READ_TOKEN = 20;

  @integer({ ...perAccount, description: 'Open event streams of tags and batches per account.' })
  LENSFORGE_GROUP_STREAMS_PER_ACCOUNT = 50;

  @integer({ min: 10, max: 86_400, description: 'Default lifetime of a read token for the events of one run.' })
  LENSFORGE_READ_TOKEN_SECONDS = 600;

  @integer({ min: 10, max: 86_400, description: 'Longest lifetime of a read token.' })
  LENSFORGE_READ_TOKEN_MOST_SECONDS = 3600;

  @flag({
    description:
      'Accepts read tokens in the query, for an EventSource. If false, only the Authorization header has them.',
  })
  LENSFORGE_READ_TOKENS_IN_QUERY = true;

  @text({
    ...httpUrl,
    max: 500,
    check: (url) => traceUrlFault(url),
    optional: true,
    description: 'The address of a trace in your tracing system, with {traceId}; the console links runs to it.',
  })
  LENSFORGE_TRACE_URL?: string;

  override faults(): Issue[] {
    const path = 'LENSFORGE_PARTNER_BASE_URL';
    const unencrypted = this.production && this[path]?.startsWith('http:');
    return [
      ...super.faults(),
      ...allOrNone(this, [path, 'LENSFORGE_PARTNER_SECRET']),
      ...(unencrypted ? [{ path, message: 'must start with https:// in production' }] : []),
    ];
  }

  /** The addresses that the console uses. */
  get pageAddresses(): { api?: string | undefined; signIn: string; trace?: string | undefined } {
    const { LENSFORGE_PUBLIC_API_URL: api, LENSFORGE_PUBLIC_OAUTH_URL: own, LENSFORGE_PUBLIC_MCP_URL: front } = this;
    const bare = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
    return {
      api: api && bare(api),
      signIn: bare(own ?? front ?? this.LENSFORGE_OAUTH_URL),
      trace: this.LENSFORGE_TRACE_URL,
    };
  }
}

function traceUrlFault(url: string): string | undefined {
  if (!url.includes('{traceId}')) return 'must contain {traceId}';
  return URL.canParse(url.replaceAll('{traceId}', '0')) ? undefined : 'is not a URL';
}
