import { didYouMean } from './did-you-mean.js';
import { isFreeForm } from './free-form.js';
import { faultInJson } from './json-rules.js';
import { isRecord } from './kinds.js';
import { type Issue, type Shape, type ValueType, findFaults, joinPath, listFields } from './rules.js';

export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';

  constructor(readonly issues: readonly Issue[]) {
    super(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '));
  }
}

export interface ParseOptions {
  /** Converts texts, such as those of a query string, to the kinds of their members. */
  fromText?: boolean;
  /** Skips the rules for all JSON, for values that the platform wrote or has already checked. */
  skipJsonRules?: boolean;
  /** The maximum number of members in all; the usual limit when absent. */
  members?: number | undefined;
}

/** Validates a value and returns an instance of `shape`; throws InvalidInput with all faults. */
export function parse<T extends object>(shape: Shape<T>, value: unknown, options: ParseOptions = {}): T {
  const { fromText = false, skipJsonRules = false, members } = options;
  const fault = skipJsonRules ? undefined : faultInJson(value, members);
  if (fault) throw new InvalidInput([fault]);
  if (!isRecord(value)) throw new InvalidInput([{ path: '', message: 'must be an object' }]);
  if (isFreeForm(shape)) return Object.assign(new shape(), value);
  const issues: Issue[] = [];
  const instance = build(shape, value, '', fromText, issues);
  findFaults(shape, instance, '', issues);
  if (issues.length > 0) throw new InvalidInput(issues);
  return instance;
}

type Build = <T extends object>(
  shape: Shape<T>,
  value: Record<string, unknown>,
  at: string,
  fromText: boolean,
  issues: Issue[],
) => T;

const build: Build = (shape, value, at, fromText, issues) => {
  const instance = new shape();
  const fields = listFields(shape);
  for (const name of Object.keys(value)) {
    const path = joinPath(at, name);
    const field = fields.get(name);
    const member = value[name];
    if (!field) {
      const known = [...fields.keys()];
      const message = `is not a known member; known are ${known.join(', ')}${didYouMean(name, known)}`;
      issues.push({ path, message });
    } else if (member !== undefined) {
      Reflect.set(instance, name, convertTo(field.type, member, path, fromText, issues));
    }
  }
  return instance;
};

/** Converts a value to its type; a value of another form stays unchanged, and a rule refuses it later. */
function convertTo(type: ValueType, value: unknown, at: string, fromText: boolean, issues: Issue[]): unknown {
  const { item, nested, fromText: convert } = type;
  if (item && Array.isArray(value)) {
    return value.map((each, index) => convertTo(item, each, `${at}.${index}`, fromText, issues));
  }
  if (nested && isRecord(value)) return build(nested(), value, at, fromText, issues);
  return fromText && convert && typeof value === 'string' ? convert(value) : value;
}
