import { endpoint } from '../catalogue/endpoint.js';
import { decimal, flag, integer, list, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind, oneOfKind, textKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';

/**
 * What a model can be asked for. images: pictures as data; image_urls: pictures by their address, fetched by its
 * provider; json: answers that fit a schema; tools: it calls tools; sampling: a temperature.
 */
export const modelCapabilities = ['stream', 'images', 'image_urls', 'json', 'tools', 'sampling'] as const;
export type ModelCapability = (typeof modelCapabilities)[number];

export class Sampling {
  @decimal({ min: 0, max: 2, optional: true, description: '0 for the likeliest words; for models with sampling.' })
  temperature?: number;

  @integer({ min: 1, max: 1_000_000, optional: true, description: 'The longest answer; each model has a maximum.' })
  maxOutputTokens?: number;
}

const payers = ['platform_credit', 'user_byok_cloud'] as const;

export class ModelQuery extends PageQuery {
  @text({ min: 1, max: 100, optional: true, description: 'Models of this provider.' })
  provider?: string;

  @oneOf(modelCapabilities, { optional: true, description: 'Models that can do this.' })
  capability?: ModelCapability;

  @oneOf(payers, {
    optional: true,
    description: 'user_byok_cloud: what a key of your own opens. Else what the platform has.',
  })
  fundingSource?: (typeof payers)[number];
}

export class ModelItem {
  @uuid({ description: 'For modelOverride; key, and provider/key, will do as well.' })
  id!: string;

  @text()
  key!: string;

  @text()
  provider!: string;

  @text()
  displayName!: string;

  @integer({ min: 1, nullable: true, description: 'Tokens of prompt and answer together; null when not known.' })
  contextTokens!: number | null;

  @integer({ min: 1 })
  maxOutputTokens!: number;

  @integer({ min: 0, description: 'Credits; a started credit of a run counts whole.' })
  creditsPer1kInput!: number;

  @integer({ min: 0 })
  creditsPer1kOutput!: number;

  @list(oneOfKind(modelCapabilities))
  capabilities!: ModelCapability[];

  @list(textKind({ max: 300 }), { description: 'Who is asked instead when it cannot answer, in order: provider/key.' })
  fallbacks!: string[];

  @flag({ description: 'Used when a request names none.' })
  isDefault!: boolean;
}

/** A model as an operator hands it in; of one that is known, what is left out stays as it is. */
export class ModelEntry {
  @text({ min: 1, max: 100, pattern: /^[a-z0-9-]+$/ })
  provider!: string;

  @text({ min: 1, max: 200, pattern: /^[^\s,]+$/, description: 'The name that the provider knows it by.' })
  key!: string;

  @text({ min: 1, max: 200, optional: true })
  displayName?: string;

  @integer({ min: 1, max: 100_000_000, optional: true, nullable: true })
  contextTokens?: number | null;

  @integer({ min: 1, max: 10_000_000, optional: true })
  maxOutputTokens?: number;

  @integer({ min: 0, max: 1_000_000, optional: true, description: 'Needed for a model that is new.' })
  creditsPer1kInput?: number;

  @integer({ min: 0, max: 1_000_000, optional: true, description: 'Needed for a model that is new.' })
  creditsPer1kOutput?: number;

  @list(oneOfKind(modelCapabilities), { optional: true })
  capabilities?: ModelCapability[];

  @list(textKind({ min: 3, max: 301, pattern: /^[^/]+\/.+$/ }), { max: 10, optional: true })
  fallbacks?: string[];

  @flag({ optional: true, description: 'false: new runs cannot use it; accepted runs continue.' })
  enabled?: boolean;

  @integer({ min: 1, max: 1_000_000, optional: true, nullable: true, description: 'The least of those usable wins.' })
  defaultRank?: number | null;
}

/** What `models import` reads. */
export class ModelFile {
  @list(nestedKind(() => ModelEntry), { min: 1, max: 500 })
  models!: ModelEntry[];
}

export const modelEndpoints = {
  listModels: endpoint({
    id: 'listModels',
    method: 'GET',
    path: '/v1/models',
    summary: 'Models that runs can use now, by provider and key',
    query: ModelQuery,
    reply: ModelItem,
    status: 200,
    scopes: ['lenses:read', 'workflows:read'],
    audience: 'public',
    rate: 'list',
    errors: [400, 401, 403, 429, 500],
    replies: 'list',
  }),
} as const;
