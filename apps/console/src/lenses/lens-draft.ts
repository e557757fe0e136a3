import type { shapes } from '@lensforge/sdk';
import { type Settings, withoutBlankModels } from './settings.js';

/** A change of a lens that is not saved yet. */
export interface LensDraft {
  templateBody: string;
  settings: Settings;
  changelog: string;
  /** The version that was changed. */
  baseVersionId: string;
  /** The time of the draft in the account that this one continues. */
  continues?: string | undefined;
  /** The account has this draft as it is. */
  isKept?: boolean | undefined;
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

/** A draft as the account keeps it. */
export const toKeptDraft = ({
  templateBody,
  settings,
  changelog,
  baseVersionId,
}: LensDraft): shapes.LensDraftRequest => ({
  templateBody,
  settings: settings && withoutBlankModels(settings),
  changelog,
  baseVersionId,
});

export const fromKeptDraft = ({ updatedAt, ...draft }: shapes.LensDraft): LensDraft => ({
  ...draft,
  continues: updatedAt,
  isKept: true,
});

export const isSameDraft = (one: LensDraft, other: LensDraft): boolean =>
  JSON.stringify(toKeptDraft(one)) === JSON.stringify(toKeptDraft(other));

/**
 * Decides about the draft of this browser when a view opens: it stays, the draft of the account takes its place, it was saved or
 * discarded elsewhere, or the person chooses, as both were changed.
 */
export function settleDrafts(
  own: LensDraft | undefined,
  account: LensDraft | undefined,
): 'stay' | 'take' | 'drop' | 'ask' {
  if (account === undefined) return own?.isKept ? 'drop' : 'stay';
  if (!own || own.isKept || isSameDraft(own, account)) return 'take';
  return own.continues === account.continues ? 'stay' : 'ask';
}
