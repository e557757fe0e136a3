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
export function badInputs(issues: readonly Issue[], said: string = sayIssues(issues)): DomainError {
  return new DomainError('BAD_INPUT', said, { issues });
}

const mostSaid = 3;

/** The first issues as one sentence. */
export function sayIssues(issues: readonly Issue[]): string {
  const said = issues.slice(0, mostSaid).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return said.join('; ') + (issues.length > mostSaid ? `; and ${issues.length - mostSaid} more` : '');
}

/** The same words for what does not exist and for what the caller may not know of. */
export const notFound = (what: string, id: string): DomainError =>
  new DomainError('NOT_FOUND', `There is no ${what} with the id ${id} that you can reach`);
