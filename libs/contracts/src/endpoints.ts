import { auditEndpoints } from './audit.js';
import { communityEndpoints } from './communities.js';
import { connectorEndpoints } from './connectors.js';
import type { Endpoint } from './endpoint.js';
import { healthEndpoints } from './health.js';
import { lensEndpoints } from './lenses.js';
import { meEndpoints } from './me.js';
import { runEndpoints } from './runs.js';
import { tokenEndpoints } from './tokens.js';

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
} as const satisfies Record<string, Endpoint>;
