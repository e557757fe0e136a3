import { isTooDeep, maxJsonDepth } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import type { NewArtifact } from '@lensforge/runs';
import { ExpressionFault, jsonSizeWithin } from '@lensforge/workflows';

/** The size limit of the outputs of a map or run. */
const maxOutputs = 4_194_304;
const primaryTextMembers = ['text'];

export function withinLimit<T>(outputs: T): T {
  if (isTooDeep(outputs)) throw new ExpressionFault('too_large', `are nested deeper than ${maxJsonDepth} levels`);
  if (jsonSizeWithin(outputs, maxOutputs) !== Infinity) return outputs;
  throw new ExpressionFault('too_large', `are larger than ${maxOutputs} bytes together`);
}

/** A single text output becomes the primary artifact; the outputs by name are a second one. A lens has its answer alone. */
export function buildOutputArtifacts(
  outputs: Record<string, unknown>,
  { isOfLens }: { isOfLens: boolean },
): NewArtifact[] {
  const members = Object.values(outputs);
  if (isOfLens) return [buildAnswerArtifact(members[0] as LensAnswer)];
  const text = members.length === 1 ? formatText(members[0]) : undefined;
  const json: NewArtifact = { ...buildKeptArtifact(outputs), isPrimaryOutput: text === undefined };
  if (text === undefined) return [json];
  return [{ id: newId(), kind: 'text', contentText: text, contentJson: null, isPrimaryOutput: true }, json];
}

/** The outputs by name of a run that failed. It has no primary output. */
export const buildKeptArtifact = (outputs: Record<string, unknown>): NewArtifact => ({
  id: newId(),
  kind: 'json',
  contentText: null,
  contentJson: outputs,
  isPrimaryOutput: false,
});

/** The output of a lens node. */
interface LensAnswer {
  text: string;
  json?: unknown;
}

/** The answer of a lens, with its JSON when it has a schema. */
export const buildAnswerArtifact = ({ text, ...more }: LensAnswer): NewArtifact =>
  'json' in more
    ? { id: newId(), kind: 'json', contentText: null, contentJson: more.json, isPrimaryOutput: true }
    : { id: newId(), kind: 'text', contentText: text, contentJson: null, isPrimaryOutput: true };

function formatText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const names = Object.keys(value);
  const text: unknown = (value as { text?: unknown }).text;
  return typeof text === 'string' && names.every((name) => primaryTextMembers.includes(name)) ? text : undefined;
}
