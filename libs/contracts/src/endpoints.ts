import { auditEndpoints } from './audit.js';
import { communityEndpoints } from './communities.js';
import { connectorEndpoints } from './connectors.js';
import type { Endpoint } from './endpoint.js';
import { healthEndpoints } from './health.js';
import { lensEndpoints } from './lenses.js';
import { meEndpoints } from './me.js';
import { runNodeEndpoints } from './run-nodes.js';
import { runOperationEndpoints } from './run-operations.js';
import { runEndpoints } from './runs.js';
import { tokenEndpoints } from './tokens.js';
import { modelEndpoints } from './models.js';
import { creditEndpoints } from './credits.js';
import { byokKeyEndpoints } from './byok-keys.js';
import { localRunEndpoints } from './local-runs.js';
import { workflowEndpoints } from './workflows.js';
import { scheduleEndpoints } from './schedules.js';
import { webhookEndpointEndpoints } from './webhook-endpoints.js';
import { incomingWebhookEndpoints } from './incoming-webhooks.js';
import { partnerEndpoints } from './partners.js';

/** The REST interface as data: controllers, OpenAPI, the SDK's types and the status-by-status tests come from it. */
export const endpoints = {
  ...healthEndpoints,
  ...meEndpoints,
  ...tokenEndpoints,
  ...connectorEndpoints,
  ...communityEndpoints,
  ...auditEndpoints,
  ...lensEndpoints,
  ...runEndpoints,
  ...runOperationEndpoints,
  ...runNodeEndpoints,
  ...modelEndpoints,
  ...creditEndpoints,
  ...byokKeyEndpoints,
  ...localRunEndpoints,
  ...workflowEndpoints,
  ...scheduleEndpoints,
  ...webhookEndpointEndpoints,
  ...incomingWebhookEndpoints,
  ...partnerEndpoints,
} as const satisfies Record<string, Endpoint>;
