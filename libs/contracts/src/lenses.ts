import { endpoint } from './endpoint.js';
import { oneOf, record, text, uuid } from './field.js';
import type { FundingSource } from './runs.js';
import { PlatformExecutionAccepted, fundingSources } from './runs.js';

export class LensPath {
  @uuid({ description: 'The lens.' })
  lensId!: string;
}

export class LensExecuteRequest {
  @record({ description: 'Inputs passed to the template of the lens.' })
  params!: Record<string, unknown>;

  @text({ min: 1, max: 200, optional: true, description: 'Forces a model id.' })
  modelOverride?: string;

  @text({ min: 1, max: 100, optional: true, description: 'Forces a provider key.' })
  providerOverride?: string;

  @oneOf(fundingSources, { optional: true, description: 'Who pays.' })
  fundingSource?: FundingSource;

  @text({ min: 1, max: 100, optional: true, description: 'Required when fundingSource is user_byok_cloud.' })
  byokKeyRefId?: string;

  @text({ min: 1, max: 255, optional: true, description: 'The same key and request within 24 hours: the same run.' })
  idempotencyKey?: string;
}

export const lensEndpoints = {
  executeLens: endpoint({
    id: 'executeLens',
    method: 'POST',
    path: '/v1/lenses/{lensId}/execute',
    summary: 'Executes a lens; answers at once with a run to follow',
    params: LensPath,
    body: LensExecuteRequest,
    reply: PlatformExecutionAccepted,
    status: 202,
    scopes: ['lenses:read'],
    rate: 'execute',
    errors: [400, 401, 403, 404, 413, 415, 429, 500],
    replies: 'envelope',
  }),
} as const;
