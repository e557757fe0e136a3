import type { shapes } from '@lensforge/sdk';
import { type Settings, withoutEmpty } from './model-settings';

/** A change of a lens that is not saved yet. */
export interface LensDraft {
  templateBody: string;
  settings: Settings;
  changelog: string;
  /** The version that was changed. */
  baseVersionId: string;
}

export const isLensDraft = ({ templateBody, changelog, baseVersionId }: Partial<LensDraft>): boolean =>
  [templateBody, changelog, baseVersionId].every((member) => typeof member === 'string');

export const toDraft = ({ templateBody, settings, headVersion }: shapes.LensRecord): LensDraft => ({
  templateBody,
  settings,
  changelog: '',
  baseVersionId: headVersion.id,
});

export const isChangedFrom = (
  lens: Pick<LensDraft, 'templateBody' | 'settings'>,
  { templateBody, settings }: LensDraft,
): boolean => templateBody !== lens.templateBody || JSON.stringify(settings) !== JSON.stringify(lens.settings);

/** A list of models may end with a comma while it is written. */
export function withoutBlankModels({ models, ...settings }: NonNullable<Settings>): Settings {
  const named = models?.filter((name) => name !== '');
  return withoutEmpty({ ...(named && { models: named }), ...settings });
}
