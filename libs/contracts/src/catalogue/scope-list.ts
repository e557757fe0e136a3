import { type FieldOptions, field } from '../schema/field.js';
import { kindOf } from '../schema/kinds.js';
import type { JsonSchema } from '../schema/rules.js';
import { type Scope, isScope, scopes } from './scopes.js';

/** A list of scopes, or a text such as `lenses:read,workflows:write`. */
export type ScopeList = string | readonly string[];

/** The scopes of a validated list, without repetitions. */
export const scopesIn = (given: ScopeList): Scope[] => {
  const named = typeof given === 'string' ? given.split(',').map((one) => one.trim()) : given;
  return [...new Set(named)].filter(isScope);
};

const one = `(${scopes.join('|')})`;
const textForm = new RegExp(`^ *${one} *(, *${one} *)*$`);
const maxTextLength = 1000;
const maxItems = 100;

const schema: JsonSchema = {
  anyOf: [
    { type: 'string', maxLength: maxTextLength, pattern: textForm.source },
    { type: 'array', minItems: 1, maxItems, items: { type: 'string', enum: [...scopes] } },
  ],
};

const isScopeList = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= maxTextLength && textForm.test(value)
    : Array.isArray(value) &&
      value.length > 0 &&
      value.length <= maxItems &&
      value.every((each) => typeof each === 'string' && isScope(each));

export const scopeListKind = kindOf(
  { name: 'isScopeList', accepts: isScopeList, schema },
  `be a list of scopes, or a text with commas between them; scopes are ${scopes.join(', ')}`,
);

/** A field with a `ScopeList`. */
export const scopeList = (options?: FieldOptions) => field(scopeListKind, options);
