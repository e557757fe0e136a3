import { distance } from 'fastest-levenshtein';
import { isDeepStrictEqual } from 'node:util';
import { type Comparison, type Finding, quote, reaches, verdict } from './assertion.js';
import { findJson, parse } from './find-json.js';
import { faultAgainst } from './json-schema.js';
import { containsHtml, containsXml, isHtml, isXml } from './markup.js';
import { bleu, gleu, rougeOne } from './overlap.js';
import { isRefusal } from './refusals.js';
import { trajectories } from './trajectories.js';
import { AssertionFault } from './assertion-fault.js';

type Compare = (comparison: Comparison) => Finding;

/** The deterministic assertions by their types; each also exists as `not-…`. */
export const comparisons: Readonly<Record<string, Compare>> = {
  ...trajectories,
  equals: ({ output, value }) => verdict(isEqual(output, value), `${quote(output)} should be ${quote(value)}`),
  contains: ({ output, value }) => contains(output, one(value), exact),
  icontains: ({ output, value }) => contains(output, one(value), folded),
  'contains-any': ({ output, value }) => containsAny(output, many(value), exact),
  'icontains-any': ({ output, value }) => containsAny(output, many(value), folded),
  'contains-all': ({ output, value }) => containsAll(output, many(value), exact),
  'icontains-all': ({ output, value }) => containsAll(output, many(value), folded),
  'starts-with': ({ output, value }) =>
    verdict(output.startsWith(one(value)), `${quote(output)} should start with ${quote(value)}`),
  regex: ({ output, value }) => verdict(toRegExp(one(value)).test(output), `the output should match ${one(value)}`),
  'is-json': ({ output, value }) => {
    const parsed = parse(output);
    return parsed ? matchesSchema(parsed.value, value) : verdict(false, 'the output is not JSON');
  },
  'contains-json': ({ output, value }) => {
    const faults: Finding[] = [];
    for (const json of findJson(output)) {
      const found = matchesSchema(json, value);
      if (found.pass) return found;
      faults.push(found);
    }
    return faults[0] ?? verdict(false, 'the output contains no JSON');
  },
  'is-xml': ({ output, value }) => ofMarkup(isXml(output), 'the output should be XML', output, value),
  'contains-xml': ({ output, value }) => ofMarkup(containsXml(output), 'the output should contain XML', output, value),
  'is-html': ({ output }) => verdict(isHtml(output), 'the output should be HTML alone'),
  'contains-html': ({ output }) => verdict(containsHtml(output), 'the output should contain HTML'),
  levenshtein: ({ output, value, threshold = 5 }) => {
    const changes = distance(output, one(value));
    return verdict(changes <= threshold, `the output differs in ${changes} characters, and ${threshold} may`);
  },
  'rouge-n': ({ output, value, threshold = 0.75 }) => reaches(rougeOne(output, one(value)), threshold, 'ROUGE-N'),
  bleu: ({ output, value, threshold = 0.5 }) => reaches(bleu(output, references(value)), threshold, 'BLEU'),
  gleu: ({ output, value, threshold = 0.5 }) => reaches(gleu(output, references(value)), threshold, 'GLEU'),
  'word-count': ({ output, value }) => countsWords(output, value),
  'is-refusal': ({ output }) => verdict(isRefusal(output), 'the output should be a refusal'),
  latency: ({ subject: { latencyMs }, threshold }) => {
    const most = needed(threshold, 'threshold');
    if (latencyMs === null) throw new AssertionFault('the latency is not known');
    return verdict(latencyMs <= most, `the run took ${latencyMs} ms, and ${most} ms are allowed`);
  },
  'finish-reason': ({ value, subject: { finishReason } }) => {
    const wanted = one(value).toLowerCase();
    if (!finishReason)
      return verdict(false, 'the run should have a finish reason; those of several requests have none');
    return verdict(finishReason === wanted, `the model should finish with ${wanted}; it did with ${finishReason}`);
  },
  cost: ({ subject: { credits }, threshold }) => {
    const most = needed(threshold, 'threshold');
    if (credits === null) throw new AssertionFault('the cost is not known');
    return verdict(credits <= most, `the run cost ${credits} credits, and ${most} are allowed`);
  },
};

function needed<T>(given: T | undefined, name: string): T {
  if (given === undefined) throw new AssertionFault(`needs a ${name}`);
  return given;
}

/** A value that is one text. */
function one(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new AssertionFault('needs a text as value');
}

/** Several texts: a list, or one text with commas. */
function many(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(one);
  return one(value)
    .split(',')
    .map((each) => each.trim());
}

const references = (value: unknown): string[] => (Array.isArray(value) ? value.map(one) : [one(value)]);

function isEqual(output: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return output === (typeof value === 'string' ? value : String(value));
  const parsed = parse(output);
  return parsed !== undefined && isDeepStrictEqual(parsed.value, value);
}

type Fold = (text: string) => string;
const exact: Fold = (text) => text;
const folded: Fold = (text) => text.toLowerCase();

const contains = (output: string, value: string, fold: Fold): Finding =>
  verdict(fold(output).includes(fold(value)), `the output should contain ${quote(value)}`);

function containsAny(output: string, values: readonly string[], fold: Fold): Finding {
  const text = fold(output);
  return verdict(
    values.some((each) => text.includes(fold(each))),
    `the output should contain one of ${values.map(quote).join(', ')}`,
  );
}

function containsAll(output: string, values: readonly string[], fold: Fold): Finding {
  const text = fold(output);
  const missing = values.filter((each) => !text.includes(fold(each)));
  return verdict(
    missing.length === 0,
    missing.length === 0 ? 'the output contains all' : `the output lacks ${missing.map(quote).join(', ')}`,
  );
}

function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (reason) {
    throw new AssertionFault(`has a pattern that is not valid: ${(reason as Error).message}`);
  }
}

function matchesSchema(json: unknown, schema: unknown): Finding {
  if (schema === undefined || schema === null) return verdict(true, 'the output is JSON');
  const parsed = typeof schema === 'string' ? parse(schema)?.value : schema;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new AssertionFault('needs a JSON Schema as value');
  }
  const fault = faultAgainst(parsed, json, 'the JSON');
  return verdict(fault === undefined, fault ?? 'the JSON is valid');
}

/** Markup, perhaps with elements that it must have: a list of paths, or names with commas. */
function ofMarkup(isMarkup: boolean, reason: string, output: string, value: unknown): Finding {
  if (!isMarkup || value === undefined || value === null) return verdict(isMarkup, reason);
  const paths: unknown =
    typeof value === 'object' && !Array.isArray(value) ? Reflect.get(value, 'requiredElements') : value;
  const missing = many(paths).filter(
    (path) => !path.split('.').every((name) => new RegExp(`<${escapeName(name)}[\\s/>]`).test(output)),
  );
  return verdict(missing.length === 0, missing.length === 0 ? reason : `the XML lacks ${missing.join(', ')}`);
}

const escapeName = (name: string): string => name.replaceAll(/[^\w:-]/g, '\\$&');

function countsWords(output: string, value: unknown): Finding {
  const count = output.trim().split(/\s+/).filter(Boolean).length;
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) {
    return verdict(count === Number(value), `the output has ${count} words, and ${Number(value)} are wanted`);
  }
  const { min, max } = (typeof value === 'object' && value !== null ? value : {}) as { min?: unknown; max?: unknown };
  if (typeof min !== 'number' && typeof max !== 'number')
    throw new AssertionFault('needs a number, or min or max, as value');
  const [least, most] = [typeof min === 'number' ? min : 0, typeof max === 'number' ? max : Infinity];
  const wanted = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  return verdict(count >= least && count <= most, `the output has ${count} words, and ${wanted} are wanted`);
}
