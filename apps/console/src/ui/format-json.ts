/** Any value as text; a text as it is. */
export const formatJson = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
