import { findFault, listFields, fieldsToCheck } from './field.js';
import { isFreeForm } from './free-form.js';
import { faultInJson } from './json-rules.js';
import { type Issue, type Kind, type Shape, isRecord } from './kinds.js';

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
  check(shape, instance, '', issues);
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
      issues.push({ path, message: `is not a known member; known are ${[...fields.keys()].join(', ')}` });
    } else if (member !== undefined) {
      Reflect.set(instance, name, convertTo(field.kind, member, path, fromText, issues));
    }
  }
  return instance;
};

/** Converts a value to its kind; a value of another form stays unchanged, and its kind refuses it later. */
function convertTo(kind: Kind, value: unknown, at: string, fromText: boolean, issues: Issue[]): unknown {
  const { item, nested, fromText: convert } = kind;
  if (item && Array.isArray(value)) {
    return value.map((each, index) => convertTo(item, each, `${at}.${index}`, fromText, issues));
  }
  if (nested && isRecord(value)) return build(nested(), value, at, fromText, issues);
  return fromText && convert && typeof value === 'string' ? convert(value) : value;
}

/** Appends the faults of an instance: the first one of each member, or those inside of a valid member. */
function check(shape: Shape, instance: object, at: string, issues: Issue[]): void {
  for (const { name, kind, optional, nullable } of fieldsToCheck(shape)) {
    const value: unknown = Reflect.get(instance, name);
    if ((optional && value === undefined) || (nullable && value === null)) continue;
    const path = joinPath(at, name);
    const fault = findFault(kind, value, path);
    if (fault) issues.push(fault);
    else checkInside(kind, value, path, issues);
  }
}

function checkInside({ item, nested }: Kind, value: unknown, path: string, issues: Issue[]): void {
  if (nested) check(nested(), value as object, path, issues);
  if (!item?.nested && !item?.item) return;
  for (const [index, each] of (value as unknown[]).entries()) checkInside(item, each, `${path}.${index}`, issues);
}

const joinPath = (at: string, name: string): string => (at ? `${at}.${name}` : name);
