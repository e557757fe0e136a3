/** The database cannot be used; the message is for the operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
