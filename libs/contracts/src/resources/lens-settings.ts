import { decimal, integer, json, list, nested, oneOf, record, text } from '../schema/field.js';
import { nestedKind, oneOfKind, textKind } from '../schema/kinds.js';
import { Sampling } from './models.js';

/** The members of a request that a lens can allow to differ from its settings. */
export const overridableMembers = ['model', 'sampling', 'outputSchema'] as const;
export type OverridableMember = (typeof overridableMembers)[number];

const levels = ['low', 'medium', 'high'] as const;
const thresholds = ['BLOCK_LOW_AND_ABOVE', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_ONLY_HIGH', 'BLOCK_NONE'] as const;

export class OpenAiSettings {
  @oneOf(levels, { optional: true, description: 'The length of answers.' })
  textVerbosity?: (typeof levels)[number];
}

export class GoogleSettings {
  @integer({
    min: 0,
    max: 200_000,
    optional: true,
    description: 'The tokens for thinking before the answer, within the maximum of the answer.',
  })
  thinkingTokens?: number;

  @oneOf(thresholds, {
    optional: true,
    description: 'The level from which its safety filters block, in all categories.',
  })
  safetyThreshold?: (typeof thresholds)[number];
}

/** Settings that one provider has. They change no prices. */
export class ProviderSettings {
  @nested(() => OpenAiSettings, { optional: true })
  openai?: OpenAiSettings;

  @nested(() => GoogleSettings, { optional: true })
  google?: GoogleSettings;
}

export const paramTypes = ['text', 'number', 'boolean', 'enum', 'json', 'list', 'image'] as const;
const limit = { optional: true } as const;

export class LensParamType {
  @text({ min: 1, max: 100, description: 'The name of a parameter of the template.' })
  label!: string;

  @oneOf(paramTypes)
  type!: (typeof paramTypes)[number];

  @text({ max: 1000, optional: true, description: 'For those who fill it in.' })
  description?: string;

  @json({ optional: true, description: 'The value of a request without one; the parameter is optional then.' })
  default?: unknown;

  @json({ optional: true, description: 'A value as it could be.' })
  example?: unknown;

  @list(textKind({ min: 1, max: 200 }), { min: 1, max: 100, optional: true, description: 'The values of an enum.' })
  values?: string[];

  @decimal({ ...limit, description: 'The least number, characters of a text or items of a list.' })
  min?: number;

  @decimal({ ...limit, description: 'The most of them.' })
  max?: number;
}

export class LensExample {
  @record({ description: 'Values for the parameters of the lens by their labels.' })
  params!: Record<string, unknown>;

  @text({ min: 1, max: 100_000, description: 'The answer to them as it should be.' })
  answer!: string;
}

export class LensTool {
  @text({
    min: 1,
    max: 250,
    description:
      'With inputSchema, a name of at most 64 letters, digits, - and _. Without it, a tool as it is granted to AI lensers: a name of the catalogue, mcp:<connector>/<tool>, mcp:<connector> for all of them, or agent:<handle>.',
  })
  name!: string;

  @text({ max: 4000, optional: true, description: 'Tells the model its effect and when to use it.' })
  description?: string;

  @record({ optional: true, description: 'A JSON Schema of the arguments, of the type object, for a tool of callers.' })
  inputSchema?: Record<string, unknown>;
}

export class LensSettings {
  @list(textKind({ min: 1, max: 200 }), {
    min: 1,
    max: 10,
    optional: true,
    description:
      'Models as provider/key, in order: the first that can be used answers, and the next ones when it fails. With one model, its own fallbacks follow.',
  })
  models?: string[];

  @nested(() => Sampling, { optional: true })
  sampling?: Sampling;

  @record({ optional: true, description: 'A JSON Schema that answers must match.' })
  outputSchema?: Record<string, unknown>;

  @list(nestedKind(() => LensTool), {
    min: 1,
    max: 100,
    optional: true,
    description:
      'Tools of the model. A run that calls one with an inputSchema waits for POST /v1/runs/{runId}/tool-results; the platform performs the others.',
  })
  tools?: LensTool[];

  @text({
    min: 1,
    max: 64,
    optional: true,
    description:
      'The handle of the AI lenser, of the owner of the lens, by whose grants and policy the platform performs tools. Only its owner can run the lens then.',
  })
  toolsOf?: string;

  @nested(() => ProviderSettings, { optional: true, description: 'Settings of single providers.' })
  providers?: ProviderSettings;

  @list(nestedKind(() => LensParamType), {
    min: 1,
    max: 100,
    optional: true,
    description: 'Types of parameters. A parameter without one takes any value.',
  })
  params?: LensParamType[];

  @list(nestedKind(() => LensExample), {
    min: 1,
    max: 50,
    optional: true,
    description: 'Examples that models get before each request, as a message of the user and its answer.',
  })
  examples?: LensExample[];

  @list(oneOfKind(overridableMembers), {
    max: overridableMembers.length,
    optional: true,
    description:
      'The parts that a request may replace although the lens sets them. It may always give those that the lens does not set.',
  })
  mayOverride?: OverridableMember[];
}
