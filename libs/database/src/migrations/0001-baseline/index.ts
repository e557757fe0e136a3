import type { Migration } from '../../migration.js';
import { accounts } from './accounts.js';
import { audit } from './audit.js';
import { byok } from './byok.js';
import { credits } from './credits.js';
import { incomingWebhooks } from './incoming-webhooks.js';
import { lenses } from './lenses.js';
import { models } from './models.js';
import { nodes } from './nodes.js';
import { oauth } from './oauth.js';
import { outbox } from './outbox.js';
import { partitions } from './partitions.js';
import { partners } from './partners.js';
import { platform } from './platform.js';
import { runStreams } from './run-streams.js';
import { runs } from './runs.js';
import { sessions } from './sessions.js';
import { tokens } from './tokens.js';
import { webhooks } from './webhooks.js';
import { workflows } from './workflows.js';

/** All tables, an aggregate a file, in the order in which they refer to each other. */
export const baseline: Migration = {
  version: 1,
  name: 'baseline',
  sql: [
    platform,
    accounts,
    sessions,
    tokens,
    oauth,
    audit,
    byok,
    models,
    credits,
    lenses,
    workflows,
    outbox,
    runs,
    runStreams,
    nodes,
    partitions,
    webhooks,
    incomingWebhooks,
    partners,
  ].join(''),
};
