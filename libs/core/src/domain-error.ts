import type { ErrorCode } from '@lensforge/contracts';

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

/** The same words for what does not exist and for what the caller may not know of. */
export const notFound = (what: string, id: string): DomainError =>
  new DomainError('NOT_FOUND', `There is no ${what} with the id ${id} that you can reach`);
