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

/** The error for one invalid member of the input. `path` is its domain name; MCP tools translate it. */
export const badInput = (path: string, message: string): DomainError => badInputs([{ path, message }]);

/** The error for several invalid members of the input; the message names the first ones. */
export function badInputs(issues: readonly Issue[], message: string = issuesMessage(issues)): DomainError {
  return new DomainError('BAD_INPUT', message, { issues });
}

const maxIssuesInMessage = 3;

/** `params.Name is required`, `params.Name and params.Town are required`. */
export function requiredMessage(paths: readonly string[]): string {
  const named = paths.slice(0, 10);
  const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : '';
  const list = named.length > 1 && !more ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join(', ');
  return `${list}${more} ${paths.length > 1 ? 'are' : 'is'} required`;
}

/** Prefixes the issue paths of a DomainError with `path`; returns other errors unchanged. */
export function nestBadInput(path: string, reason: unknown): unknown {
  if (!(reason instanceof DomainError)) return reason;
  const issues = getIssues(reason).map((issue) => ({ ...issue, path: issue.path ? `${path}.${issue.path}` : path }));
  return new DomainError(reason.code, issuesMessage(issues), { ...reason.details, issues });
}

/** Converts UNPROCESSABLE_PARAMS into BAD_INPUT with paths under `inputs`; returns other errors unchanged. */
export function asBadInput(reason: unknown): unknown {
  if (!(reason instanceof DomainError) || reason.code !== 'UNPROCESSABLE_PARAMS') return reason;
  const { missing = [], invalid = [] } = reason.details as { missing?: readonly string[]; invalid?: readonly Issue[] };
  const issues = [
    ...missing.map((name) => ({ path: `inputs.${name}`, message: 'is required' })),
    ...invalid.map(({ path, message }) => ({ path: path ? `inputs.${path}` : 'inputs', message })),
  ];
  return new DomainError('BAD_INPUT', reason.message, { issues, ...(missing.length > 0 && { missing }) });
}

const getIssues = ({ message, details }: DomainError): readonly Issue[] =>
  (details?.['issues'] as readonly Issue[] | undefined) ?? [{ path: '', message }];

const predicate = /^(is|are|must|has|have|may|can|cannot|needs|requires|lacks|names|contains|counts)\b/;

/** One issue as a sentence: `ttl must be at most 3600`, `versions: a lens has 1 to 1000 of them`. */
const issueSentence = ({ path, message }: Issue): string =>
  path === '' ? message : `${path}${predicate.test(message) ? '' : ':'} ${message}`;

/** The first issues as one sentence. */
export function issuesMessage(issues: readonly Issue[]): string {
  const sentences = issues.slice(0, maxIssuesInMessage).map(issueSentence);
  const rest = issues.length - maxIssuesInMessage;
  return sentences.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

/** Refuses a new version whose author has not seen the newest one; without `baseVersionId`, none is refused. */
export function requireNewestBase(newestId: string, baseVersionId: string | undefined): void {
  if (baseVersionId === undefined || baseVersionId === newestId) return;
  throw new DomainError(
    'CONFLICT',
    `The newest version is ${newestId}, saved after your baseVersionId: read it and change that, or leave baseVersionId out to save yours after it`,
  );
}

/** One message for a missing object and for one that the caller may not see. */
export const notFound = (kind: string, id: string): DomainError =>
  new DomainError('NOT_FOUND', `There is no ${kind} with the id ${id} that you can reach`);
