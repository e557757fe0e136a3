import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { writeScopes } from '../catalogue/scopes.js';

/** Providers for which users can bring keys, including their own endpoints. */
export const byokProviders = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;
export type ByokProvider = (typeof byokProviders)[number];

const testStatuses = ['pending', 'passed', 'failed'] as const;
export type ByokTestStatus = (typeof testStatuses)[number];

const secret = {
  min: 8,
  max: 500,
  pattern: /^[\x21-\x7e]+$/,
  description: 'The secret of the key. It is sealed before it is stored, and never shown again.',
} as const;

export class ByokKeyPath {
  @uuid({ description: 'The key.' })
  keyId!: string;
}

/** A model of the caller's own endpoint. */
export class ByokModel {
  @text({ min: 1, max: 200, pattern: /^[^\s,]+$/, description: 'The name of the model at the endpoint.' })
  key!: string;

  @integer({ min: 1, max: 1_000_000, description: 'The maximum length of an answer, in tokens.' })
  maxOutputTokens = 4096;
}

export class NewByokKeyRequest {
  @oneOf(byokProviders, { description: 'openai-compatible: your own endpoint with the chat completions API.' })
  provider!: ByokProvider;

  @text({
    min: 1,
    max: 2048,
    optional: true,
    description: 'For openai-compatible: the https:// URL of the endpoint, usually with /v1 at its end.',
  })
  baseUrl?: string;

  @list(nestedKind(() => ByokModel), {
    min: 1,
    max: 50,
    optional: true,
    description: 'For openai-compatible: its models; runs that name none use the first.',
  })
  models?: ByokModel[];

  @text({ min: 1, max: 100, pattern: /\S/, description: 'A name for lists.' })
  label!: string;

  @text(secret)
  secret!: string;
}

export class RotateByokKeyRequest {
  @text(secret)
  secret!: string;
}

export class ByokTest {
  @oneOf(testStatuses, { description: 'pending: no worker has called the provider yet.' })
  status!: ByokTestStatus;

  @text({ nullable: true, description: 'The message of the provider.' })
  message!: string | null;

  @dateTime({ nullable: true })
  testedAt!: string | null;
}

export class ByokKey {
  @uuid({ description: 'The id for byokKeyRefId of a run.' })
  id!: string;

  @oneOf(byokProviders)
  provider!: ByokProvider;

  @text({ nullable: true, description: 'The URL of your own endpoint.' })
  baseUrl!: string | null;

  @list(nestedKind(() => ByokModel), { max: 50, description: 'The models of your own endpoint.' })
  models!: ByokModel[];

  @text()
  label!: string;

  @text({ description: 'The last four characters of the key.' })
  last4!: string;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  rotatedAt!: string | null;

  @dateTime({ nullable: true, description: 'Updated at most once a minute.' })
  lastUsedAt!: string | null;

  @dateTime({
    nullable: true,
    description: 'The time at which it was destroyed. It cannot be opened since, and lists omit it.',
  })
  revokedAt!: string | null;

  @nested(() => ByokTest, { nullable: true, description: 'The last test of the current secret.' })
  test!: ByokTest | null;
}

const reads = { scopes: ['tokens:read'], audience: 'people' } as const;
/** Any write scope: developer tokens cannot have tokens:write, and read scopes must not change keys. */
const writes = { scopes: writeScopes, audience: 'people' } as const;

export const byokKeyEndpoints = defineEndpoints({
  listByokKeys: {
    ...reads,
    route: 'GET /v1/byok-keys',
    summary: "Lists the caller's keys of providers, the newest first, without their secrets",
    description:
      'A BYOK key is a key of a provider that the account brings. The list has labels, providers and the last four characters of each key.',
    query: PageQuery,
    reply: ByokKey,
    rate: 'list',
    replies: 'list',
  },
  createByokKey: {
    ...writes,
    route: 'POST /v1/byok-keys',
    summary: 'Stores a key of a provider, sealed; only run-workers can open it; any write scope is enough',
    description:
      'The secret is encrypted with a key of its own before it is stored and never returned. Runs use it with fundingSource user_byok_cloud and the id of the key.',
    body: NewByokKeyRequest,
    reply: ByokKey,
    status: 201,
    rate: 'create',
    errors: [409, 503],
  },
  getByokKey: {
    ...reads,
    route: 'GET /v1/byok-keys/{keyId}',
    summary: 'Reads a key without its secret',
    description: 'Shows the provider, the label, the status of the last test and the last use.',
    params: ByokKeyPath,
    reply: ByokKey,
    rate: 'read',
  },
  revokeByokKey: {
    ...writes,
    route: 'DELETE /v1/byok-keys/{keyId}',
    summary: 'Destroys a key at once; it cannot be opened afterwards',
    description: 'The encrypted secret is deleted. Runs that need the key later fail with KEY_REVOKED.',
    params: ByokKeyPath,
    reply: ByokKey,
    rate: 'write',
  },
  testByokKey: {
    ...writes,
    route: 'POST /v1/byok-keys/{keyId}/test',
    summary: 'Tests a key with its provider; answers pending when the provider takes more than a few seconds',
    description:
      'Sends one small request to the provider. When the reply is pending, read the key again after a few seconds.',
    params: ByokKeyPath,
    reply: ByokKey,
    rate: 'test',
  },
  rotateByokKey: {
    ...writes,
    route: 'POST /v1/byok-keys/{keyId}/rotate',
    summary: 'Replaces the secret of a key; runs that start later use it',
    description: 'The id of the key stays, so requests and workflows that name it continue to work.',
    params: ByokKeyPath,
    body: RotateByokKeyRequest,
    reply: ByokKey,
    rate: 'write',
    errors: [503],
  },
});
