import type { Migration } from '../migration.js';
import { groundFloor } from './0001-ground-floor.js';
import { webhooks } from './0002-webhooks.js';
import { audit } from './0003-audit.js';
import { signIn } from './0004-sign-in.js';
import { communities } from './0005-communities.js';
import { lensLibrary } from './0006-lens-library.js';
import { runControl } from './0007-run-control.js';
import { admission } from './0008-admission.js';
import { models } from './0009-models.js';
import { money } from './0010-money.js';
import { workflows } from './0011-workflows.js';
import { workflowEngine } from './0012-workflow-engine.js';
import { webhookCare } from './0013-webhook-care.js';
import { incomingAndPartners } from './0014-incoming-and-partners.js';
import { invariants } from './0015-invariants.js';
import { incomingRemoval } from './0016-incoming-removal.js';
import { partnerRefresh } from './0017-partner-refresh.js';
import { ownEndpoints } from './0018-own-endpoints.js';
import { claimedNotices } from './0019-claimed-notices.js';
import { runBeginnings } from './0020-run-beginnings.js';
import { uuidv7Before18 } from './0021-uuidv7-before-18.js';
import { accountLimits } from './0022-account-limits.js';
import { tokenCreators } from './0023-token-creators.js';
import { productionSafeguards } from './0024-production-safeguards.js';
import { trackingRecords } from './0025-tracking-records.js';

/** In order; a migration that has landed is never edited, only followed. */
export const migrations: readonly Migration[] = [
  groundFloor,
  webhooks,
  audit,
  signIn,
  communities,
  lensLibrary,
  runControl,
  admission,
  models,
  money,
  workflows,
  workflowEngine,
  webhookCare,
  incomingAndPartners,
  invariants,
  incomingRemoval,
  partnerRefresh,
  ownEndpoints,
  claimedNotices,
  runBeginnings,
  uuidv7Before18,
  accountLimits,
  tokenCreators,
  productionSafeguards,
  trackingRecords,
];
