import type { Issue, LensParamType, LensSettings } from '@lensforge/contracts';
import { badInputs } from '@lensforge/core';
import { compareSchemas, faultAgainstSchema } from '@lensforge/models';
import { type Bump, higherBump } from './contract.js';
import { type LensParam, type Template, paramKey, templateParams } from './template.js';

type Schema = Record<string, unknown>;
type Values = Readonly<Record<string, unknown>>;

const limitsOf: Partial<Record<LensParamType['type'], readonly [min: string, max: string]>> = {
  text: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  list: ['minItems', 'maxItems'],
};

const schemas: Record<LensParamType['type'], (given: LensParamType) => Schema> = {
  text: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  enum: ({ values = [] }) => ({ enum: values }),
  json: () => ({}),
  list: () => ({ type: 'array' }),
  image: () => ({ type: 'object', required: ['image'] }),
};

/** The values that a type permits, as a JSON Schema. */
function toSchema(given: LensParamType): Schema {
  const [min, max] = limitsOf[given.type] ?? [];
  return {
    ...schemas[given.type](given),
    ...(min !== undefined && given.min !== undefined && { [min]: given.min }),
    ...(max !== undefined && given.max !== undefined && { [max]: given.max }),
  };
}

/** Forms and command lines send texts, and other programs numbers for texts. */
function convert({ type }: LensParamType, value: unknown): unknown {
  if (type === 'text' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (typeof value !== 'string') return value;
  if (type === 'number' && /^\s*-?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value)) return Number(value);
  return type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

/** The values of a request by the types of a lens, with the defaults of those that are missing. */
export function toTypedValues(settings: LensSettings | null, values: Values): Values {
  const types = settings?.params ?? [];
  if (types.length === 0) return values;
  const typed = new Map(Object.entries(values));
  const names = new Map([...typed.keys()].map((name) => [paramKey(name), name]));
  const issues: Issue[] = [];
  for (const type of types) {
    const name = names.get(paramKey(type.label)) ?? type.label;
    const given = typed.get(name) ?? undefined;
    const value = given === undefined ? type.default : convert(type, given);
    if (value === undefined) continue;
    const fault = given === undefined ? undefined : faultOf(type, value);
    if (fault !== undefined) issues.push({ path: `params.${type.label}`, message: fault });
    typed.set(name, value);
  }
  if (issues.length > 0) throw badInputs(issues);
  return Object.fromEntries(typed);
}

const typeNames: Partial<Record<LensParamType['type'], string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  image: 'an image, {"image": {"mediaType", and "data" or "url"}}',
};

/** The first fault of a value, in the words of parameters. */
function faultOf(type: LensParamType, value: unknown): string | undefined {
  const fault = faultAgainstSchema(toSchema(type), value)?.replace(/^\/ /, '');
  if (fault !== undefined && type.values) return `must be one of ${type.values.join(', ').slice(0, 1000)}`;
  return fault && /^must be (string|number|boolean|array|object)$/.test(fault)
    ? `must be ${typeNames[type.type] ?? type.type}`
    : fault;
}

/** The first fault of the types of a template's parameters. */
export function faultInTypes(types: readonly LensParamType[], template: Template): Issue | undefined {
  const labels = new Set(templateParams(template).map(({ label }) => paramKey(label)));
  const seen = new Set<string>();
  for (const [index, type] of types.entries()) {
    const key = paramKey(type.label);
    const fault = seen.has(key)
      ? { path: 'label', message: `names ${type.label} a second time` }
      : labels.has(key)
        ? faultInType(type)
        : { path: 'label', message: `${type.label} is not in the template: write [[${type.label}]] there` };
    if (fault) return { path: `params.${index}.${fault.path}`, message: fault.message };
    seen.add(key);
  }
  return undefined;
}

function faultInType(type: LensParamType): Issue | undefined {
  const { values, min, max } = type;
  if ((type.type === 'enum') !== (values !== undefined)) {
    const message = values ? 'is for the type enum alone' : 'is required for the type enum';
    return { path: 'values', message };
  }
  const limit = min === undefined ? 'max' : 'min';
  if ((min ?? max) !== undefined && !limitsOf[type.type])
    return { path: limit, message: `is for the types ${Object.keys(limitsOf).join(', ')}` };
  if (min !== undefined && max !== undefined && min > max)
    return { path: 'min', message: `must be at most max, ${max}` };
  for (const path of ['default', 'example'] as const) {
    const fault = type[path] === undefined ? undefined : faultOf(type, type[path]);
    if (fault !== undefined) return { path, message: fault };
  }
  return undefined;
}

/** Types for the parameters of another template; those of parameters that went are left out. */
export function keepTypes(settings: LensSettings | null, template: Template): LensSettings | null {
  if (!settings?.params) return settings;
  const labels = new Set(templateParams(template).map(({ label }) => paramKey(label)));
  const { params, ...others } = settings;
  const kept = params.filter(({ label }) => labels.has(paramKey(label)));
  if (kept.length === params.length) return settings;
  return kept.length === 0 && Object.keys(others).length === 0 ? null : { ...settings, params: kept };
}

/** The part of a version that its callers and the readers of its answers notice. */
export interface Contract {
  params: readonly LensParam[];
  settings: LensSettings | null;
}

/** The version bump that a changed schema requires. */
export const bumpOfSchema = { same: 'patch', wider: 'minor', narrower: 'major' } as const;

/** The version bump that changed types of parameters require: callers notice values that are no longer taken. */
export function bumpOfTypes(before: Contract, after: Contract): Bump {
  const [old, now] = [before, after].map(
    ({ settings }) => new Map(settings?.params?.map((type) => [paramKey(type.label), type])),
  );
  const kept = before.params
    .map(({ label }) => paramKey(label))
    .filter((key) => after.params.some((param) => paramKey(param.label) === key));
  const bumps = kept.map((key) => {
    const [from, to] = [old?.get(key), now?.get(key)];
    return bumpOfSchema[compareSchemas(from ? toSchema(from) : {}, to ? toSchema(to) : {})];
  });
  return higherBump(...bumps);
}
