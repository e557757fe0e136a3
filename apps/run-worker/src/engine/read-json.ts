import { isTooDeep, maxJsonDepth } from '@lensforge/contracts';
import { faultAgainstSchema } from '@lensforge/models';
import { RunFailure } from './run-failure.js';

/** Parses a text as JSON and validates it; the schema itself was checked when the run was accepted. */
export function readJson(text: string, schema: Readonly<Record<string, unknown>>): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RunFailure('OUTPUT_NOT_VALID', 'The answer is not JSON, although the run asks for it');
  }
  const fault = isTooDeep(value)
    ? `it is nested deeper than ${maxJsonDepth} levels`
    : faultAgainstSchema(schema, value);
  if (fault === undefined) return value;
  throw new RunFailure('OUTPUT_NOT_VALID', `The answer does not fit outputSchema: ${fault.toWellFormed()}`);
}
