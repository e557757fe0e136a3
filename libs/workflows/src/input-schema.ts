import { Script, createContext } from 'node:vm';
import { isRecord } from '@lensforge/contracts';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

const largestSchema = 65_536;
const draft = 'https://json-schema.org/draft/2020-12/schema';
const refused = new Set(['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$async', '$vocabulary']);
const budgetMs = 1000;

export interface InputFaults {
  /** Names of members that are required and not there. */
  missing: string[];
  invalid: { path: string; message: string }[];
}

/** Takes inputs, with the defaults of the schema filled in, or says what is wrong with them. */
export type InputCheck = (
  inputs: Record<string, unknown>,
) => { inputs: Record<string, unknown> } | { faults: InputFaults };

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  allErrors: true,
  useDefaults: true,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
});

/** What is wrong with a schema of inputs, in words; nothing when it can be used. */
export function faultInInputSchema(schema: Record<string, unknown>): string | undefined {
  try {
    compileInputSchema(schema);
    return undefined;
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
}

/** A check for inputs; it throws when the schema is none. */
export function compileInputSchema(schema: Record<string, unknown>): InputCheck {
  const text = JSON.stringify(schema);
  if (text.length > largestSchema) throw new Error(`is larger than ${largestSchema} bytes`);
  if (schema['type'] !== 'object') throw new Error('must have the type object');
  if (schema['$schema'] !== undefined && schema['$schema'] !== draft) throw new Error(`must be of the draft ${draft}`);
  refuseMembers(schema, '');
  const copy = JSON.parse(text) as Record<string, unknown>;
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(copy);
  } finally {
    ajv.removeSchema(copy);
  }
  // These can take longer than schema and inputs are long.
  const isSlow = /"(pattern|patternProperties|\$ref|uniqueItems|const|enum)":/.test(text);
  return (given) => {
    const inputs = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
    try {
      if (isSlow ? inTime(() => validate(inputs)) : validate(inputs)) return { inputs };
    } catch {
      return { faults: { missing: [], invalid: [{ path: '', message: 'took too long to check' }] } };
    }
    return { faults: readFaults(validate.errors ?? []) };
  };
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

function inTime(work: () => boolean): boolean {
  return new Script('work()').runInContext(createContext({ work }), { timeout: budgetMs }) as boolean;
}

function readFaults(errors: readonly ErrorObject[]): InputFaults {
  const missing: string[] = [];
  const invalid: InputFaults['invalid'] = [];
  for (const { keyword, instancePath, params, message = 'does not fit' } of errors.slice(0, 50)) {
    const path = instancePath.slice(1).split('/').map(unescape).join('.');
    const { missingProperty, additionalProperty } = params as { missingProperty?: string; additionalProperty?: string };
    const within = (name: string): string => (path ? `${path}.${name}` : name);
    if (keyword === 'required' && missingProperty !== undefined) missing.push(within(missingProperty));
    else if (additionalProperty !== undefined)
      invalid.push({ path: within(additionalProperty), message: 'is not known' });
    else invalid.push({ path, message });
  }
  return { missing, invalid };
}

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
