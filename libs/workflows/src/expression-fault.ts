/** The code of a fault that the author of an expression asked for with `fail`. */
export const failedByAuthor = 'failed_by_author';

/** An expression that cannot be parsed or evaluated. */
export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
