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
