import type { LensParamType } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { atVersion, paramKey, runnableLens } from '@lensforge/lenses';
import { type FormAnswer, NeedsAnswers } from './tool-client.js';

// The form in which a user gives the values of the parameters of a lens.

/** The key of the form. */
export const valuesForm = 'param_values';

/** The form for a lens that cannot do without values; undefined for one that can, or that needs what forms do not have. */
export async function formOfValues(
  ctx: Context,
  { lensId, version: name }: { lensId: string; version: string | undefined },
): Promise<NeedsAnswers | undefined> {
  const newest = await runnableLens(ctx, lensId);
  const { version } = name === undefined ? newest : await atVersion(ctx.db, newest, name);
  const types = new Map((version.settings?.params ?? []).map((type) => [paramKey(type.label), type]));
  const params = version.params.filter(({ label }) => paramKey(label) !== 'history');
  const required = params.filter(({ optional }) => !optional).map(({ label }) => label);
  const typeOf = (label: string) => types.get(paramKey(label));
  if (required.length === 0 || required.some((label) => typeOf(label)?.type === 'image')) return undefined;
  const properties = Object.fromEntries(params.map(({ label }) => [label, toField(label, typeOf(label))]));
  const message = `The lens needs values: ${required.join(', ')}`;
  return new NeedsAnswers({ [valuesForm]: { message, requestedSchema: { type: 'object', properties, required } } });
}

function toField(label: string, { type, description, values, min, max }: Partial<LensParamType> = {}): object {
  const common = { title: label, ...(description !== undefined && { description }) };
  if (type === 'boolean') return { ...common, type };
  if (type === 'enum') return { ...common, type: 'string', enum: values };
  if (type === 'number')
    return { ...common, type, ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
  return { ...common, type: 'string' };
}

/** The values that a user has given; none without an accepted form. */
export const readValues = (answer: FormAnswer | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(answer?.content ?? {}).map(([label, value]) => [label, String(value)]));
