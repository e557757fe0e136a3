export type Json = Record<string, unknown>;

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

export const jsonBody = (schema: Json, example?: object): Json => ({
  'application/json': { schema, ...(example && { example }) },
});
