/** The reason why a database cannot be used, in a sentence for its operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
