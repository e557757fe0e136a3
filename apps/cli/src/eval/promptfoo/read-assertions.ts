import { type ConfigSource, type Path, isRecord, toList } from '../config-source.js';

export type Assertion = Record<string, unknown> & { type: string };

/** The assertions that the platform computes, each also with `not-`. */
const known = new Set([
  ...[
    'equals',
    'contains',
    'icontains',
    'contains-any',
    'icontains-any',
    'contains-all',
    'icontains-all',
    'starts-with',
  ],
  ...[
    'regex',
    'is-json',
    'contains-json',
    'is-xml',
    'contains-xml',
    'is-html',
    'contains-html',
    'levenshtein',
    'rouge-n',
  ],
  ...['trajectory:tool-used', 'trajectory:tool-args-match', 'trajectory:tool-sequence', 'trajectory:step-count'],
  ...['tool-call-f1', 'is-valid-openai-tools-call', 'similar'],
  ...['bleu', 'gleu', 'word-count', 'is-refusal', 'latency', 'cost', 'finish-reason', 'javascript', 'assert-set'],
]);

const baseType = (type: string): string => (type.startsWith('not-') ? type.slice('not-'.length) : type);

/** The assertions that a model decides, each also with `not-`. */
const judged = new Set([
  ...['llm-rubric', 'g-eval', 'model-graded-closedqa', 'factuality', 'model-graded-factuality'],
  ...['context-relevance', 'context-faithfulness', 'trajectory:goal-success'],
]);

export const isJudged = ({ type }: Assertion): boolean => judged.has(baseType(type));

/** The assertions of a test; those that cannot be taken are noted. */
export async function readAssertions(
  source: ConfigSource,
  given: unknown,
  path: Path,
  file?: string,
): Promise<Assertion[]> {
  const read: Assertion[] = [];
  for (const [index, each] of toList(given).entries()) {
    const found = await readAssertion(source, each, [...path, index], file);
    if (found) read.push(found);
  }
  return read;
}

async function readAssertion(
  source: ConfigSource,
  given: unknown,
  path: Path,
  file?: string,
): Promise<Assertion | undefined> {
  const members = isRecord(given) ? given : {};
  const { type, value, threshold, weight, transform, assert } = members;
  const needsJudge = typeof type === 'string' && judged.has(baseType(type));
  if (typeof type !== 'string' || !(known.has(baseType(type)) || (needsJudge && source.hasJudge))) {
    const why = needsJudge ? 'needs a judge: name a model with --judge' : 'is not taken';
    source.refuse(path, typeof type === 'string' ? `the assertion ${type} ${why}` : 'has no type', file);
    return undefined;
  }
  if (baseType(type) === 'similar' && Array.isArray(value))
    source.refuse([...path, 'value'], 'is a list, of which only one text is taken: use an assert-set', file);
  for (const name of ['provider', 'config', 'contextTransform', 'rubricPrompt']) {
    if (members[name] !== undefined) source.refuse([...path, name], 'is not taken', file);
  }
  const content = await readValue(source, value, [...path, 'value'], file);
  return {
    type,
    ...(content !== undefined && { value: content }),
    ...(threshold !== undefined && { threshold }),
    ...(weight !== undefined && { weight }),
    ...(transform !== undefined && { transform }),
    ...(baseType(type) === 'assert-set' && { assert: await readAssertions(source, assert, [...path, 'assert'], file) }),
  };
}

/** A value, or the content of the file that it names. */
async function readValue(source: ConfigSource, value: unknown, path: Path, file?: string): Promise<unknown> {
  if (typeof value !== 'string') return value;
  if (hasMoreThanNames(value)) source.refuse(path, 'has a template that is more than names', file);
  if (!value.startsWith('file://')) return value;
  if (/\.(json|ya?ml)$/.test(value)) return source.readData(value);
  if (/\.(txt|md)$/.test(value)) return (await source.readFile(value)).trim();
  source.refuse(path, `${value} is a program, which is not taken`, file);
  return undefined;
}

const hasMoreThanNames = (text: string): boolean =>
  text.includes('{%') ||
  [...text.matchAll(/\{\{([^{}]*)\}\}/g)].some(([, inner = '']) => !/^[\w.]+$/.test(inner.trim()));

/** The short form of a cell `__expected`, such as `contains: Paris`; anything else must be equal. */
export function readShortForm(text: string): Assertion | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const code = /^(?:javascript|fn|eval):([^]*)$/.exec(trimmed);
  if (code) return { type: 'javascript', value: (code[1] ?? '').trim() };
  const [, type = '', threshold, value] = /^(not-[a-z-]+|[a-z-]+)(?:\(([\d.]+)\))?(?::([^]*))?$/.exec(trimmed) ?? [];
  if (
    type === 'grade' ||
    type === 'llm-rubric' ||
    (known.has(baseType(type)) && (value !== undefined || noValue.has(baseType(type))))
  ) {
    const given = value?.trim();
    const list = /-(any|all)$/.test(type) ? given?.split(',').map((each) => each.trim()) : given;
    return {
      type: type === 'grade' ? 'llm-rubric' : type,
      ...(list !== undefined && { value: list }),
      ...(threshold !== undefined && { threshold: Number(threshold) }),
    };
  }
  return { type: 'equals', value: trimmed };
}

const noValue = new Set([
  'is-json',
  'contains-json',
  'is-xml',
  'contains-xml',
  'is-html',
  'contains-html',
  'is-refusal',
  'latency',
  'cost',
]);
