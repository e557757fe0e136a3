import { isRecord } from '@lensforge/contracts';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { jsonSizeWithin } from './json-size.js';

const maxSchemaBytes = 65_536;
const draft = 'https://json-schema.org/draft/2020-12/schema';
const refused = new Set(['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$async', '$vocabulary']);

export interface InputFaults {
  /** The names of missing required members. */
  missing: string[];
  invalid: { path: string; message: string }[];
}

/** The inputs with defaults filled in, or their faults. */
export type CheckedInputs = { inputs: Record<string, unknown> } | { faults: InputFaults };

interface Check {
  first: ValidateFunction;
  /** Compiled when there is a fault to report. */
  all: () => ValidateFunction;
}

const options: Options = {
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  useDefaults: true,
  validateFormats: false,
  addUsedSchema: false,
  // Inlining every reference can make the compiled code many times as long as the schema.
  inlineRefs: false,
  logger: false,
};
const firstFaultAjv = new Ajv2020(options);
const allFaultsAjv = new Ajv2020({ ...options, allErrors: true });

const compiled = new LRUCache<string, Check>({ maxSize: 1_000_000, sizeCalculation: (_, text) => text.length + 500 });

/** The fault of an input schema; undefined if it is valid. */
export function faultInInputSchema(schema: Record<string, unknown>): string | undefined {
  try {
    checkFor(schema);
    return undefined;
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
}

/**
 * Checks inputs; throws when the schema is invalid. The time is not limited, so outside of the sandbox this is for schemas
 * and inputs that pass `isCheapCheck`.
 */
export function checkInputs(schema: Record<string, unknown>, given: Record<string, unknown>): CheckedInputs {
  const check = checkFor(schema);
  const inputs = structuredClone(given);
  if (check.first(inputs)) return { inputs };
  // Large inputs can have very many faults, so only the first is reported.
  if (jsonSizeWithin(given, maxSizeWithAllFaults) === Infinity) return { faults: readFaults(check.first.errors ?? []) };
  const all = check.all();
  all(structuredClone(given));
  return { faults: readFaults(all.errors ?? []) };
}

const maxSizeWithAllFaults = 20_000;

function checkFor(schema: Record<string, unknown>): Check {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  if (text.length > maxSchemaBytes) throw new Error(`is larger than ${maxSchemaBytes} bytes`);
  if (schema['type'] !== 'object') throw new Error('must have the type object');
  if (schema['$schema'] !== undefined && schema['$schema'] !== draft) throw new Error(`must be of the draft ${draft}`);
  refuseMembers(schema, '');
  let all: ValidateFunction | undefined;
  const check = { first: compile(firstFaultAjv, text), all: () => (all ??= compile(allFaultsAjv, text)) };
  compiled.set(text, check);
  return check;
}

function compile(ajv: Ajv2020, text: string): ValidateFunction {
  const copy = JSON.parse(text) as Record<string, unknown>;
  try {
    return ajv.compile(copy);
  } finally {
    ajv.removeSchema(copy);
  }
}

function refuseMembers(value: unknown, path: string): void {
  if (Array.isArray(value)) {
    value.forEach((each, index) => refuseMembers(each, `${path}[${index}]`));
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, each] of Object.entries(value)) {
    if (refused.has(name)) throw new Error(`${path}${name}: this keyword cannot be used here`);
    if (name === '$ref' && typeof each === 'string' && !each.startsWith('#')) {
      throw new Error(`${path}$ref: can only point within the schema`);
    }
    refuseMembers(each, `${path}${name}.`);
  }
}

const maxCheapSchemaSize = 4000;
const maxCheapInputsSize = 50_000;
/** Keywords that are checked in linear time. */
const cheapKeywords = new Set([
  ...['type', 'properties', 'required', 'items', 'additionalProperties', 'default', 'title', 'description', '$schema'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['enum', 'const', 'format', 'examples', 'deprecated'],
]);

/** True when the schema can be compiled and the inputs checked outside of the sandbox in bounded time. */
export function isCheapCheck(schema: Record<string, unknown>, inputs?: Record<string, unknown>): boolean {
  return (
    jsonSizeWithin(schema, maxCheapSchemaSize) !== Infinity &&
    hasCheapKeywords(schema) &&
    (inputs === undefined || jsonSizeWithin(inputs, maxCheapInputsSize) !== Infinity)
  );
}

function hasCheapKeywords(schema: unknown): boolean {
  if (!isRecord(schema)) return typeof schema === 'boolean';
  return Object.entries(schema).every(([name, value]) => {
    if (!cheapKeywords.has(name)) return false;
    if (name === 'properties') return isRecord(value) && Object.values(value).every(hasCheapKeywords);
    return name === 'items' || name === 'additionalProperties' ? hasCheapKeywords(value) : true;
  });
}

function readFaults(errors: readonly ErrorObject[]): InputFaults {
  const missing: string[] = [];
  const invalid: InputFaults['invalid'] = [];
  for (const { keyword, instancePath, params, message = 'does not fit' } of errors.slice(0, 50)) {
    const path = instancePath.slice(1).split('/').map(unescape).join('.');
    const { missingProperty, additionalProperty } = params as { missingProperty?: string; additionalProperty?: string };
    const memberPath = (name: string): string => (path ? `${path}.${name}` : name);
    if (keyword === 'required' && missingProperty !== undefined) missing.push(memberPath(missingProperty));
    else if (additionalProperty !== undefined)
      invalid.push({ path: memberPath(additionalProperty), message: 'is not known' });
    else invalid.push({ path, message });
  }
  return { missing, invalid };
}

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
