import { MAX_BYOK_KEYS } from '@lensforge/byok';
import { MAX_COMMUNITIES } from '@lensforge/communities';
import type { Issue } from '@lensforge/contracts';
import { integer, text } from '@lensforge/contracts';
import { RateEnvironment } from '@lensforge/edge';
import { MAX_CONNECTORS, MAX_TOKENS } from '@lensforge/identity';
import { masterKeysFault } from '@lensforge/vault';
import { MAX_ENDPOINTS, MAX_INCOMING_WEBHOOKS } from '@lensforge/webhooks';

const most = { min: 1, max: 100_000 } as const;

export class GatewayEnvironment extends RateEnvironment {
  @text({
    min: 1,
    max: 2000,
    description:
      '32 random bytes in base64, or several as 1:key,2:key while they rotate; it seals what accounts entrust.',
  })
  LENSFORGE_MASTER_KEY!: string;

  @integer({
    min: 1,
    max: 1_000_000,
    description: 'Calls a minute and incoming webhook, and answers to waiting nodes a minute and network.',
  })
  LENSFORGE_RATE_INCOMING_PER_MINUTE = 60;

  @integer({ ...most, description: 'Organisation tokens that a community can have.' })
  LENSFORGE_TOKENS_PER_ACCOUNT = MAX_TOKENS;

  @integer({ ...most, description: 'Connectors that an account can have.' })
  LENSFORGE_CONNECTORS_PER_ACCOUNT = MAX_CONNECTORS;

  @integer({ ...most, description: 'Communities that a person can own.' })
  LENSFORGE_COMMUNITIES_PER_ACCOUNT = MAX_COMMUNITIES;

  @integer({ ...most, description: 'Webhook endpoints that an account can have.' })
  LENSFORGE_WEBHOOK_ENDPOINTS_PER_ACCOUNT = MAX_ENDPOINTS;

  @integer({ ...most, description: 'Incoming webhooks that an account can have.' })
  LENSFORGE_INCOMING_WEBHOOKS_PER_ACCOUNT = MAX_INCOMING_WEBHOOKS;

  @integer({ ...most, description: 'Keys of providers that an account can have.' })
  LENSFORGE_BYOK_KEYS_PER_ACCOUNT = MAX_BYOK_KEYS;

  @integer({ min: 1, max: 3650, description: 'For how many days calls of incoming webhooks can be looked up.' })
  LENSFORGE_INCOMING_LOG_DAYS = 30;

  @text({ pattern: /^[a-z][a-z0-9-]{0,39}$/, max: 40, description: 'The name of the one partner that is registered.' })
  LENSFORGE_PARTNER_NAME = 'sandbox';

  @text({
    pattern: /^https?:\/\/\S+$/,
    max: 2000,
    optional: true,
    description: 'Where the partner answers; without it the platform plays the partner itself.',
  })
  LENSFORGE_PARTNER_BASE_URL?: string;

  @text({ min: 16, max: 2000, optional: true, description: 'What the partner knows the platform by.' })
  LENSFORGE_PARTNER_SECRET?: string;

  @integer({ min: 100, max: 6000, description: 'How long the partner may take for a whole answer.' })
  LENSFORGE_PARTNER_TIMEOUT_MS = 3000;

  @integer({ min: 1, max: 86_400, description: 'How long access tokens of the sandbox last.' })
  LENSFORGE_PARTNER_TOKEN_SECONDS = 3600;

  @integer({ min: 1, max: 1000, description: 'How many gateways share the limits while Redis is away.' })
  LENSFORGE_REPLICAS_API_GATEWAY = 1;

  @integer({
    min: 1000,
    max: 600_000,
    description: "How long a run stays with its caller's runner that is not heard of.",
  })
  LENSFORGE_LOCAL_LEASE_MS = 30_000;

  @integer({
    min: 1,
    max: 100_000,
    description: 'Event streams that an account can have open at one gateway, besides those of its read tokens.',
  })
  LENSFORGE_STREAMS_PER_ACCOUNT = 200;

  @integer({ min: 1, max: 100_000, description: 'Event streams that a read token can have open at one gateway.' })
  LENSFORGE_STREAMS_PER_READ_TOKEN = 20;

  @integer({
    min: 1,
    max: 100_000,
    description: 'How many event streams of an account at one gateway may be of tags and batches.',
  })
  LENSFORGE_GROUP_STREAMS_PER_ACCOUNT = 50;

  @integer({
    min: 10,
    max: 86_400,
    description: 'How long a token for the events of one run counts when nothing is asked.',
  })
  LENSFORGE_READ_TOKEN_SECONDS = 600;

  @integer({ min: 10, max: 86_400, description: 'How long such a token may count at most.' })
  LENSFORGE_READ_TOKEN_MOST_SECONDS = 3600;

  override faults(): Issue[] {
    return [...super.faults(), ...this.partnerFaults(), ...this.keyFaults()];
  }

  private partnerFaults(): Issue[] {
    const { LENSFORGE_PARTNER_BASE_URL: url, LENSFORGE_PARTNER_SECRET: secret, production } = this;
    const faults: Issue[] = [];
    if ((url === undefined) !== (secret === undefined)) {
      const path = url === undefined ? 'LENSFORGE_PARTNER_BASE_URL' : 'LENSFORGE_PARTNER_SECRET';
      faults.push({ path, message: 'address and secret of the partner go together' });
    }
    if (url !== undefined && !URL.canParse(url))
      faults.push({ path: 'LENSFORGE_PARTNER_BASE_URL', message: 'cannot be read as an address' });
    else if (production && url?.startsWith('http:'))
      faults.push({ path: 'LENSFORGE_PARTNER_BASE_URL', message: 'must start with https:// in production' });
    return faults;
  }

  private keyFaults(): Issue[] {
    const message = masterKeysFault(this.LENSFORGE_MASTER_KEY);
    return message === undefined ? [] : [{ path: 'LENSFORGE_MASTER_KEY', message }];
  }
}
