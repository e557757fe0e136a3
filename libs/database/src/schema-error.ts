/** Why a database cannot be used as it stands, in a sentence for its operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}
