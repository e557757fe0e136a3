import type { FieldOptions } from '../schema/field.js';
import { field } from '../schema/field.js';
import type { JsonSchema, Kind } from '../schema/kinds.js';
import type { Scope } from './scopes.js';
import { isScope, scopes } from './scopes.js';

/** As a client may write it: `lenses:read,workflows:write`, or a list of the same. */
export type ScopeList = string | readonly string[];

/** The scopes of a list that passed the gate, each once. */
export const scopesIn = (given: ScopeList): Scope[] => {
  const named = typeof given === 'string' ? given.split(',').map((one) => one.trim()) : given;
  return [...new Set(named)].filter(isScope);
};

const one = `(${scopes.join('|')})`;
const written = new RegExp(`^ *${one} *(, *${one} *)*$`);
const longest = 1000;
const most = 100;

const schema: JsonSchema = {
  anyOf: [
    { type: 'string', maxLength: longest, pattern: written.source },
    { type: 'array', minItems: 1, maxItems: most, items: { type: 'string', enum: [...scopes] } },
  ],
};

const isScopeList = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= longest && written.test(value)
    : Array.isArray(value) &&
      value.length > 0 &&
      value.length <= most &&
      value.every((each) => typeof each === 'string' && isScope(each));

export const scopeListKind = (): Kind => ({
  schema: () => schema,
  fault: (value, path) =>
    isScopeList(value)
      ? undefined
      : {
          path,
          message: `must be a list of scopes, or a text with commas between them; scopes are ${scopes.join(', ')}`,
        },
});

/** Takes `lenses:read,workflows:write` and a list. */
export const scopeList = (options?: FieldOptions) => field(scopeListKind(), options);
