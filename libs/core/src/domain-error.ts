import type { ErrorCode, Issue } from '@lensforge/contracts';

export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** Refuses one member of the input. `path` is its name in the domain; tools translate it into their own. */
export const badInput = (path: string, message: string): DomainError => badInputs([{ path, message }]);

/** Refuses several members of the input at once; the message names the first ones. */
export function badInputs(issues: readonly Issue[], said: string = issuesMessage(issues)): DomainError {
  return new DomainError('BAD_INPUT', said, { issues });
}

const mostSaid = 3;

/** `params.Name is required`, `params.Name and params.Town are required`. */
export function requiredMessage(paths: readonly string[]): string {
  const named = paths.slice(0, 10);
  const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : '';
  const list = named.length > 1 && !more ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join(', ');
  return `${list}${more} ${paths.length > 1 ? 'are' : 'is'} required`;
}

/** A refusal of a member seen from outside of what it is a member of: its places begin with `path`. */
export function nestBadInput(path: string, reason: unknown): unknown {
  if (!(reason instanceof DomainError)) return reason;
  const issues = issuesOf(reason).map((issue) => ({ ...issue, path: issue.path ? `${path}.${issue.path}` : path }));
  return new DomainError(reason.code, issuesMessage(issues), { ...reason.details, issues });
}

/** Inputs that do not fit, as one of several members of a request. */
export function asBadInput(reason: unknown): unknown {
  if (!(reason instanceof DomainError) || reason.code !== 'UNPROCESSABLE_PARAMS') return reason;
  const { missing = [], invalid = [] } = reason.details as { missing?: readonly string[]; invalid?: readonly Issue[] };
  const issues = [
    ...missing.map((name) => ({ path: `inputs.${name}`, message: 'is required' })),
    ...invalid.map(({ path, message }) => ({ path: path ? `inputs.${path}` : 'inputs', message })),
  ];
  return new DomainError('BAD_INPUT', reason.message, { issues, ...(missing.length > 0 && { missing }) });
}

const issuesOf = ({ message, details }: DomainError): readonly Issue[] =>
  (details?.['issues'] as readonly Issue[] | undefined) ?? [{ path: '', message }];

const predicate = /^(is|are|must|has|have|may|can|cannot|needs|requires|lacks|names|contains|counts)\b/;

/** One issue as a sentence: `ttl must be at most 3600`, `versions: a lens has 1 to 1000 of them`. */
const sayIssue = ({ path, message }: Issue): string =>
  path === '' ? message : `${path}${predicate.test(message) ? '' : ':'} ${message}`;

/** The first issues as one sentence. */
export function issuesMessage(issues: readonly Issue[]): string {
  const said = issues.slice(0, mostSaid).map(sayIssue);
  return said.join('; ') + (issues.length > mostSaid ? `; and ${issues.length - mostSaid} more` : '');
}

/** The same words for what does not exist and for what the caller may not know of. */
export const notFound = (what: string, id: string): DomainError =>
  new DomainError('NOT_FOUND', `There is no ${what} with the id ${id} that you can reach`);
