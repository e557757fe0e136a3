import type { shapes } from '@lensforge/sdk';

/** The settings of a lens, or of a draft of one. */
export type Settings = shapes.LensSettings | null;

/** Settings without empty parts; null without any. */
export function withoutEmpty(settings: shapes.LensSettings): Settings {
  const set = Object.entries(settings).filter(
    ([name, value]) => value !== undefined && (name === 'outputSchema' || Object.keys(value as object).length > 0),
  );
  return set.length > 0 ? (Object.fromEntries(set) as shapes.LensSettings) : null;
}

/** A list of models may end with a comma while it is written. */
export function withoutBlankModels({ models, ...settings }: NonNullable<Settings>): Settings {
  const named = models?.filter((name) => name !== '');
  return withoutEmpty({ ...(named && { models: named }), ...settings });
}
