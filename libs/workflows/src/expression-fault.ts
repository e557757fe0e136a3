/** An expression that cannot be read, or that has failed on what it was given. */
export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
