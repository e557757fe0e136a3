import { defineEndpoints } from '../catalogue/endpoint.js';
import { decimal, flag, integer, list, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind, oneOfKind, textKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';

/**
 * Capabilities of models. images: images as data; image_urls: images by URL, fetched by the provider; json: answers that
 * match a schema; tools: tool calls; sampling: a temperature; embeddings: vectors of texts, alone if there is no stream.
 */
export const modelCapabilities = ['stream', 'images', 'image_urls', 'json', 'tools', 'sampling', 'embeddings'] as const;
export type ModelCapability = (typeof modelCapabilities)[number];

const reasoningEfforts = ['low', 'medium', 'high'] as const;

export class Sampling {
  @decimal({
    min: 0,
    max: 2,
    optional: true,
    description: '0 for the most likely words; for models with the capability sampling.',
  })
  temperature?: number;

  @integer({
    min: 1,
    max: 1_000_000,
    optional: true,
    description: 'The maximum length of the answer; each model has a maximum of its own.',
  })
  maxOutputTokens?: number;

  @decimal({
    min: 0,
    max: 1,
    optional: true,
    description: 'Only the most likely words with this share together; for models with the capability sampling.',
  })
  topP?: number;

  @list(textKind({ min: 1, max: 100 }), {
    min: 1,
    max: 4,
    optional: true,
    description: 'Texts that end the answer before them.',
  })
  stop?: string[];

  @integer({ min: 0, optional: true, description: 'The same seed gives similar answers at providers that know it.' })
  seed?: number;

  @oneOf(reasoningEfforts, { optional: true, description: 'For models that reason; others may refuse it.' })
  reasoningEffort?: (typeof reasoningEfforts)[number];
}

const payers = ['platform_credit', 'user_byok_cloud'] as const;

export class ModelQuery extends PageQuery {
  @text({ min: 1, max: 100, optional: true, description: 'Models of this provider.' })
  provider?: string;

  @oneOf(modelCapabilities, { optional: true, description: 'Models with this capability.' })
  capability?: ModelCapability;

  @oneOf(payers, {
    optional: true,
    description: 'user_byok_cloud: models that your own keys can use; otherwise the models of the platform.',
  })
  fundingSource?: (typeof payers)[number];
}

export class ModelItem {
  @uuid({ description: 'The id for modelOverride, which also accepts key and provider/key.' })
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

  @decimal({ min: 0, description: 'Credits; the cost of a run is rounded up.' })
  creditsPer1kInput!: number;

  @decimal({ min: 0 })
  creditsPer1kOutput!: number;

  @decimal({ min: 0, nullable: true, description: 'For input from the cache of the provider; null: as other input.' })
  creditsPer1kCachedInput!: number | null;

  @decimal({
    min: 0,
    nullable: true,
    description: 'For input that the provider adds to its cache; null: as other input.',
  })
  creditsPer1kCacheWrite!: number | null;

  @list(oneOfKind(modelCapabilities))
  capabilities!: ModelCapability[];

  @list(textKind({ max: 300 }), {
    description: 'Models that are used instead when it fails, in order, as provider/key.',
  })
  fallbacks!: string[];

  @flag({ description: 'true for the model of requests that name none.' })
  isDefault!: boolean;
}

const rate = { min: 0, max: 100_000 };

/** A model of an import file. Absent members of a known model stay unchanged. */
export class ModelEntry {
  @text({ min: 1, max: 100, pattern: /^[a-z0-9-]+$/ })
  provider!: string;

  @text({ min: 1, max: 200, pattern: /^[^\s,]+$/, description: 'The name of the model at the provider.' })
  key!: string;

  @text({ min: 1, max: 200, optional: true })
  displayName?: string;

  @integer({ min: 1, max: 100_000_000, optional: true, nullable: true })
  contextTokens?: number | null;

  @integer({ min: 1, max: 10_000_000, optional: true })
  maxOutputTokens?: number;

  @decimal({ ...rate, optional: true, description: 'Required for a new model.' })
  creditsPer1kInput?: number;

  @decimal({ ...rate, optional: true, description: 'Required for a new model.' })
  creditsPer1kOutput?: number;

  @decimal({ ...rate, optional: true, nullable: true })
  creditsPer1kCachedInput?: number | null;

  @decimal({ ...rate, optional: true, nullable: true })
  creditsPer1kCacheWrite?: number | null;

  @list(oneOfKind(modelCapabilities), { optional: true })
  capabilities?: ModelCapability[];

  @list(textKind({ min: 3, max: 301, pattern: /^[^/]+\/.+$/ }), { max: 10, optional: true })
  fallbacks?: string[];

  @flag({ optional: true, description: 'false: new runs cannot use it; accepted runs continue.' })
  enabled?: boolean;

  @integer({
    min: 1,
    max: 1_000_000,
    optional: true,
    nullable: true,
    description: 'The usable model with the lowest number is the default.',
  })
  defaultRank?: number | null;
}

/** The input of `models import`. */
export class ModelFile {
  @list(nestedKind(() => ModelEntry), { min: 1, max: 500 })
  models!: ModelEntry[];
}

export const modelEndpoints = defineEndpoints({
  listModels: {
    route: 'GET /v1/models',
    summary: 'Lists the models that runs can use, by provider and key',
    description:
      'Each item has the capabilities, the limits and the price of a model. capability=json lists models for structured outputs and judging.',
    query: ModelQuery,
    reply: ModelItem,
    scopes: ['lenses:read', 'workflows:read'],
    audience: 'public',
    rate: 'list',
    replies: 'list',
  },
});
