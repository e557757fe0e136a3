import type { shapes } from '@lensforge/sdk';

export const scorerKinds = ['check', 'model', 'pairwise', 'http'] as const;

/** The assertions that take a text; others are made over the API. */
export const checkTypes = [
  'contains',
  'icontains',
  'not-icontains',
  'equals',
  'starts-with',
  'regex',
  'is-json',
  'is-refusal',
] as const;

/** The methods that need no list of criteria. */
export const judgeMethods = ['rubric', 'closedQuestion', 'factuality', 'goalSuccess', 'similarity'] as const;

export const needsRubric = (method: (typeof judgeMethods)[number]): boolean =>
  method !== 'factuality' && method !== 'similarity';

/** The rule that the fields of a form describe, which `read` reads. Those that are empty are left out. */
export function readRule(kind: shapes.ScorerRule['kind'], read: (name: string) => string): shapes.ScorerRule {
  const member = (name: string): Record<string, string> => (read(name) === '' ? {} : { [name]: read(name) });
  const threshold = read('threshold');
  return {
    kind,
    ...(threshold !== '' && { threshold: Number(threshold) }),
    ...(kind === 'check' && { assertions: [{ type: read('type'), ...member('value') }] }),
    ...(kind === 'model' && { ...member('method'), ...member('rubric') }),
    ...((kind === 'model' || kind === 'pairwise') && member('model')),
    ...(kind === 'http' && member('url')),
  };
}
