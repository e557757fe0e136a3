import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { AssertionFault } from './assertion-fault.js';

/** The fault of a value against a JSON Schema; undefined when it is valid. */
export function faultAgainst(schema: object, value: unknown, name: string): string | undefined {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  try {
    return ajv.validate(schema, value) ? undefined : ajv.errorsText(ajv.errors, { dataVar: name });
  } catch (reason) {
    throw new AssertionFault(`has a JSON Schema that is not valid: ${(reason as Error).message}`);
  }
}
