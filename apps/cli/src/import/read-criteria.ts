import type { shapes } from '@lensforge/sdk';
import { isRecord, toList, toText } from '../eval/config-source.js';
import type { Notes } from './plan.js';

const criteriaOf = (value: Readonly<Record<string, unknown>>): Record<string, unknown>[] =>
  toList(value['testing_criteria']).filter(isRecord);

/** The member of items that has the expected answer, if all comparisons of an eval name the same one. */
export function expectedMember(value: Readonly<Record<string, unknown>>): string | undefined {
  const members = new Set(
    criteriaOf(value).flatMap(({ reference }) => (typeof reference === 'string' ? [memberOf(reference)] : [])),
  );
  const [only] = members;
  return members.size === 1 ? only : undefined;
}

/** The testing criteria of an eval of OpenAI as stored scorers. */
export function readCriteria(
  value: Readonly<Record<string, unknown>>,
  notes: Notes,
  where: string,
): shapes.ScorerCreate[] {
  const expected = expectedMember(value);
  return criteriaOf(value).flatMap((each, at) => {
    const rule = toRule(each, expected, notes, `${where}:testing_criteria[${at}]`);
    const name = (toText(each['name']) ?? `${toText(value['name']) ?? 'eval'} ${at + 1}`)
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(0, 60);
    return rule ? [{ name, rule }] : [];
  });
}

const memberOf = (reference: string): string | undefined => /^\{\{\s*item\.(\w+)\s*\}\}$/.exec(reference.trim())?.[1];

const operations: Readonly<Record<string, string>> = {
  eq: 'equals',
  ne: 'not-equals',
  like: 'contains',
  ilike: 'icontains',
};
const metrics: Readonly<Record<string, string>> = { bleu: 'bleu', gleu: 'gleu', cosine: 'similar' };

function toRule(
  given: Record<string, unknown>,
  expected: string | undefined,
  notes: Notes,
  where: string,
): shapes.ScorerRule | undefined {
  const { type, reference } = given;
  const value = typeof reference === 'string' && memberOf(reference) !== expected ? { value: toNames(reference) } : {};
  const threshold = typeof given['pass_threshold'] === 'number' ? { threshold: given['pass_threshold'] } : {};
  if (type === 'string_check') {
    const operation = operations[String(given['operation'])];
    if (operation !== undefined) return { kind: 'check', assertions: [{ type: operation, ...value }] };
  }
  if (type === 'text_similarity') {
    const metric = String(given['evaluation_metric']);
    const known = metrics[metric] ?? (metric.startsWith('rouge_') ? 'rouge-n' : undefined);
    if (known === 'rouge-n' && metric !== 'rouge_1') notes.approximate(where, `${metric} became rouge-n`);
    if (known !== undefined) return { kind: 'check', assertions: [{ type: known, ...value, ...threshold }] };
  }
  if (type === 'label_model' || type === 'score_model') {
    notes.approximate(where, `${type} became a rubric, which the judge marks from 0 to 1`);
    const labels = toList(given['passing_labels']).map(String);
    const text = toList(given['input'])
      .filter(isRecord)
      .map(textOf)
      .filter((each) => each !== '')
      .join('\n\n');
    const rubric = `${text}${labels.length > 0 ? `\n\nThe output passes when its label is: ${labels.join(', ')}.` : ''}`;
    if (text !== '') return { kind: 'model', method: 'rubric', rubric: toNames(rubric).slice(0, 8000), ...threshold };
  }
  const detail = toText(given['operation']) ?? toText(given['evaluation_metric']);
  notes.leaveOut(
    where,
    `the criterion ${String(type)}${detail === undefined ? '' : ` ${detail}`}${type === 'python' ? ': a scorer of the kind http can run it' : ''}`,
  );
  return undefined;
}

function textOf({ content }: Record<string, unknown>): string {
  if (typeof content === 'string') return content;
  return isRecord(content) && typeof content['text'] === 'string' ? content['text'] : '';
}

/** `{{item.name}}` is a parameter of the case; the output is shown to the judge in any case. */
const toNames = (text: string): string =>
  text.replaceAll(/\{\{\s*item\.(\w+)\s*\}\}/g, '{{$1}}').replaceAll(/\{\{\s*sample\.[\w.]+\s*\}\}/g, 'the output');
