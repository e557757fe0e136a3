import {
  type Issue,
  type LensSettings,
  type LensTool,
  type OverridableMember,
  type Sampling,
  externalServerId,
  isGrantable,
} from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { compareSchemas, extractImages, faultInOutputSchema, unknownModels } from '@lensforge/models';
import { isDeepStrictEqual } from 'node:util';
import { type Bump, higherBump } from './contract.js';
import { type Contract, bumpOfSchema, bumpOfTypes, faultInTypes, toTypedValues } from './param-types.js';
import { type Template, checkValues, resolveTemplate, templateParams } from './template.js';

/** Settings as they are stored with a text: without empty parts, and null without any. */
export function toStoredSettings(given: LensSettings | null | undefined, template: Template): LensSettings | null {
  const plain = JSON.parse(JSON.stringify(given ?? {})) as LensSettings;
  const set = Object.entries(plain).filter(
    ([name, value]) => name === 'outputSchema' || Object.keys(value as object).length > 0,
  );
  const settings = Object.fromEntries(set) as LensSettings;
  const fault =
    (settings.outputSchema && faultInOutputSchema(settings.outputSchema)) ??
    faultInTools(settings) ??
    (settings.params && faultInTypes(settings.params, template)) ??
    faultInExamples(settings, template);
  if (fault) throw badInput(`settings.${fault.path}`, fault.message);
  return set.length > 0 ? settings : null;
}

const maxCharacters = 200_000;

const nameOfOwnTool = /^[\w-]{1,64}$/;

function faultInTools({ tools = [], toolsOf }: LensSettings): Issue | undefined {
  for (const [index, tool] of tools.entries()) {
    const path = `tools.${index}`;
    if (tools.findIndex(({ name }) => name === tool.name) < index)
      return { path, message: `there are two tools ${tool.name}` };
    const fault = tool.inputSchema ? faultInOwnTool(tool.name, tool.inputSchema) : faultInGrantedTool(tool);
    if (fault) return { path: `${path}.${fault.path}`, message: fault.message };
  }
  const isGranted = tools.some(({ inputSchema }) => !inputSchema);
  if (isGranted && toolsOf === undefined)
    return { path: 'toolsOf', message: 'is required for tools without an inputSchema: name an AI lenser of yours' };
  if (!isGranted && toolsOf !== undefined)
    return { path: 'toolsOf', message: 'is for tools without an inputSchema: leave it out' };
  return undefined;
}

function faultInOwnTool(name: string, inputSchema: Record<string, unknown>): Issue | undefined {
  if (!nameOfOwnTool.test(name)) return { path: 'name', message: 'must have at most 64 letters, digits, - and _' };
  const fault = faultInOutputSchema(inputSchema);
  if (fault) return { path: 'inputSchema', message: fault.message };
  return inputSchema['type'] === 'object' ? undefined : { path: 'inputSchema.type', message: 'must be object' };
}

function faultInGrantedTool({ name, description }: LensTool): Issue | undefined {
  if (description !== undefined)
    return { path: 'description', message: 'is for tools with an inputSchema: leave it out' };
  if (isGrantable(name) || externalServerId.test(name)) return undefined;
  const message =
    'must be a tool that can be granted to AI lensers, as GET /v1/agents/{aiLenserId}/tools names it, or have an inputSchema';
  return { path: 'name', message };
}

function faultInExamples(settings: LensSettings, template: Template): Issue | undefined {
  const { length } = JSON.stringify(settings);
  if (length > maxCharacters)
    return { path: 'examples', message: `make the settings longer than ${maxCharacters} characters` };
  const examples = settings.examples ?? [];
  if (examples.length === 0) return undefined;
  let path = 'examples';
  try {
    const params = templateParams(template);
    const typed = examples.map((example, index) => {
      path = `examples.${index}.params`;
      if (extractImages(example.params).images.length > 0) throw badInput('', 'have an image, which examples cannot');
      const values = toTypedValues(settings, example.params);
      const { missing } = checkValues(params, values);
      if (missing.length > 0) throw badInput('', `lacks ${missing.join(', ')}`);
      return { params: values, answer: example.answer };
    });
    path = 'examples';
    resolveTemplate(template, typed[0]?.params ?? {}, typed);
    return undefined;
  } catch (reason) {
    if (reason instanceof DomainError) return { path, message: reason.message };
    throw reason;
  }
}

/** Settings of a caller, whose models must exist on this platform. */
export async function readSettings(
  { db }: Context,
  given: LensSettings | null | undefined,
  template: Template,
): Promise<LensSettings | null> {
  const settings = toStoredSettings(given, template);
  const [unknown] = await unknownModels(db, settings?.models ?? []);
  if (unknown !== undefined)
    throw badInput('settings.models', `there is no model ${unknown}; GET /v1/models lists them: write provider/key`);
  return settings;
}

export const haveSameSettings = (one: LensSettings | null, other: LensSettings | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export interface SettingChange {
  name: string;
  before: unknown;
  after: unknown;
}

/** The settings that differ, by name; those of samplings and providers each. */
export function listSettingChanges(before: LensSettings | null, after: LensSettings | null): SettingChange[] {
  const [old, now] = [listSettings(before), listSettings(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const change = { name, before: old.get(name) ?? null, after: now.get(name) ?? null };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

function listSettings(settings: LensSettings | null): Map<string, unknown> {
  const { sampling, providers, params = [], tools = [], ...others } = settings ?? {};
  const within = (name: string, part: object = {}): [string, unknown][] =>
    Object.entries(part).map(([member, value]): [string, unknown] => [`${name}.${member}`, value]);
  return new Map<string, unknown>([
    ...Object.entries(others),
    ...within('sampling', sampling),
    ...params.map(({ label, ...type }): [string, unknown] => [`params.${label}`, type]),
    ...tools.map(({ name, ...tool }): [string, unknown] => [`tools.${name}`, tool]),
    ...Object.entries(providers ?? {}).flatMap(([key, part]) => within(`providers.${key}`, part as object)),
  ]);
}

/** The version bump that a change of settings requires: for types of parameters, tools and the schema of answers. */
export function bumpOfSettings(before: Contract, after: Contract): Bump {
  const [old, now] = [before.settings?.outputSchema, after.settings?.outputSchema];
  const ofAnswers = !old && !now ? 'patch' : !old || !now ? 'major' : bumpOfSchema[compareSchemas(old, now)];
  return higherBump(
    higherBump(ofAnswers, bumpOfTypes(before, after)),
    bumpOfTools(before.settings?.tools ?? [], after.settings?.tools ?? []),
  );
}

/** A removed tool, or one with a narrower schema, is major; a new or wider one minor. */
function bumpOfTools(before: readonly LensTool[], after: readonly LensTool[]): Bump {
  const added = after.some(({ name }) => before.every((tool) => tool.name !== name));
  return before.reduce<Bump>(
    (bump, { name, inputSchema }) => {
      const now = after.find((tool) => tool.name === name);
      if (!now || !inputSchema !== !now.inputSchema) return 'major';
      return inputSchema && now.inputSchema
        ? higherBump(bump, bumpOfSchema[compareSchemas(inputSchema, now.inputSchema)])
        : bump;
    },
    added ? 'minor' : 'patch',
  );
}

/** The part of a request that decides about the call of a model. */
export interface CallWish {
  modelOverride?: string | undefined;
  providerOverride?: string | undefined;
  outputSchema?: Record<string, unknown> | undefined;
  sampling?: Sampling | undefined;
}

export interface ModelCall extends CallWish {
  /** The models of the lens in order, which apply without an override. */
  preferred?: readonly string[] | undefined;
}

/** Joins a request with the settings of its lens; refuses what the lens decides and does not let requests change. */
export function applySettings(settings: LensSettings | null, wish: CallWish): ModelCall {
  const { modelOverride, providerOverride } = wish;
  if (!settings) return wish;
  const { models, outputSchema, sampling = {}, mayOverride = [] } = settings;
  const refuseUnless = (isAllowed: boolean, member: OverridableMember, path: string, set: unknown): void => {
    if (isAllowed || mayOverride.includes(member)) return;
    const value = JSON.stringify(set);
    throw badInput(
      path,
      `is decided by this version of the lens, which does not let requests change it: ${value.length > 200 ? `${value.slice(0, 200)}…` : value}`,
    );
  };
  const isOfProvider =
    providerOverride === undefined || (models ?? []).some((name) => name.startsWith(`${providerOverride}/`));
  if (models) {
    refuseUnless(modelOverride === undefined || isAmong(models, modelOverride), 'model', 'modelOverride', models);
    refuseUnless(isOfProvider, 'model', 'providerOverride', models);
  }
  const givenSampling = Object.entries(wish.sampling ?? {}).filter(([, value]) => value !== undefined);
  for (const [name, value] of givenSampling) {
    const set = sampling[name as keyof Sampling];
    refuseUnless(set === undefined || isDeepStrictEqual(set, value), 'sampling', `sampling.${name}`, set);
  }
  const isSame = !outputSchema || !wish.outputSchema || isDeepStrictEqual(outputSchema, wish.outputSchema);
  refuseUnless(isSame, 'outputSchema', 'outputSchema', outputSchema);
  const together: Sampling = { ...sampling, ...Object.fromEntries(givenSampling) };
  return {
    ...(modelOverride !== undefined && { modelOverride }),
    ...(providerOverride !== undefined && { providerOverride }),
    ...(models && isOfProvider && { preferred: models }),
    outputSchema: wish.outputSchema ?? outputSchema,
    sampling: Object.keys(together).length > 0 ? together : undefined,
  };
}

/** True when the model of a run or of an AI lenser comes before that of the lens. */
export const leavesModelOpen = (settings: Pick<LensSettings, 'models' | 'mayOverride'> | null): boolean =>
  !settings?.models || (settings.mayOverride?.includes('model') ?? false);

const isAmong = (models: readonly string[], name: string): boolean =>
  models.some((each) => each === name || each.slice(each.indexOf('/') + 1) === name);
