import { isRecord } from '@lensforge/contracts';
import { isDeepStrictEqual } from 'node:util';

type Schema = Readonly<Record<string, unknown>>;

/** How the answers to a schema differ from those to an earlier one. A schema that is both, or neither, is narrower. */
export type SchemaChange = 'same' | 'wider' | 'narrower';

const texts = new Set(['title', 'description']);
/** Limits where more is narrower, and where less is. */
const lower = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems']);
const upper = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']);

const joined = (changes: readonly SchemaChange[]): SchemaChange =>
  changes.find((change) => change === 'narrower') ?? changes.find((change) => change === 'wider') ?? 'same';

const narrowerIf = (isNarrower: boolean): SchemaChange => (isNarrower ? 'narrower' : 'wider');

/** Compares two valid output schemas, and texts that describe them not at all. */
export function compareSchemas(before: unknown, after: unknown): SchemaChange {
  if (isDeepStrictEqual(before, after)) return 'same';
  const [old, now] = [toSchema(before), toSchema(after)];
  if (!old || !now) return narrowerIf(!now);
  const words = new Set([...Object.keys(old), ...Object.keys(now)]);
  return joined([...words].filter((word) => !texts.has(word)).map((word) => compareWord(word, old, now)));
}

/** The schema of a value; undefined when it permits nothing. */
const toSchema = (value: unknown): Schema | undefined => (value === false ? undefined : isRecord(value) ? value : {});

function compareWord(word: string, old: Schema, now: Schema): SchemaChange {
  const [before, after] = [old[word], now[word]];
  if (isDeepStrictEqual(before, after)) return 'same';
  if (word === 'properties') return compareMembers(toSchema(before) ?? {}, toSchema(after) ?? {});
  if (word === 'additionalProperties' || word === 'items') return compareSchemas(before ?? true, after ?? true);
  if (before === undefined) return 'narrower';
  if (after === undefined) return 'wider';
  if (lower.has(word)) return narrowerIf(Number(after) > Number(before));
  if (upper.has(word)) return narrowerIf(Number(after) < Number(before));
  if (word === 'type') return compareSets(toTypes(before), toTypes(after));
  if (word === 'enum') return compareSets(toKeys(before), toKeys(after));
  if (word === 'required') return compareSets(toKeys(after), toKeys(before));
  return 'narrower';
}

/** A member that went is missed by readers of answers; one that came is more than before. */
function compareMembers(old: Schema, now: Schema): SchemaChange {
  const gone = Object.keys(old).some((name) => !Object.hasOwn(now, name));
  const came = Object.keys(now).some((name) => !Object.hasOwn(old, name));
  const kept = Object.keys(old).filter((name) => Object.hasOwn(now, name));
  return joined([
    ...(gone ? (['narrower'] as const) : []),
    ...(came ? (['wider'] as const) : []),
    ...kept.map((name) => compareSchemas(old[name], now[name])),
  ]);
}

const compareSets = (old: ReadonlySet<string>, now: ReadonlySet<string>): SchemaChange =>
  joined([
    ...([...old].some((each) => !now.has(each)) ? (['narrower'] as const) : []),
    ...([...now].some((each) => !old.has(each)) ? (['wider'] as const) : []),
  ]);

const toKeys = (values: unknown): Set<string> =>
  new Set((Array.isArray(values) ? values : [values]).map((value) => JSON.stringify(value)));

/** A number may be whole, so integer is contained in number. */
function toTypes(value: unknown): Set<string> {
  const types = toKeys(value);
  if (types.has('"number"')) types.add('"integer"');
  return types;
}
