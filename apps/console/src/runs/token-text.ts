import type { shapes } from '@lensforge/sdk';
import { texts } from '../texts';

type Used = Partial<Pick<shapes.PlatformRunStatus, 'tokenInput' | 'tokenOutput' | 'tokenDetails' | 'creditCost'>>;

const count = (value: number): string => value.toLocaleString('en');

/** The tokens of a run, with those of kinds that providers price on their own. */
export function tokenText({ tokenInput, tokenOutput, tokenDetails }: Used): string {
  const all = `${tokenInput ?? '–'} → ${tokenOutput ?? '–'}`;
  if (!tokenDetails) return all;
  const { cached, cacheWrite, reasoning, tokenKinds } = texts.runs;
  const kinds = [
    tokenDetails.cachedInput > 0 ? cached(count(tokenDetails.cachedInput)) : '',
    tokenDetails.cacheWrite > 0 ? cacheWrite(count(tokenDetails.cacheWrite)) : '',
    tokenDetails.reasoning > 0 ? reasoning(count(tokenDetails.reasoning)) : '',
  ].filter((kind) => kind !== '');
  return kinds.length === 0 ? all : `${all} ${tokenKinds(kinds)}`;
}

/** The credits of a run, with what caches have saved. */
export function costText({
  creditCost,
  tokenDetails,
}: Pick<Used, 'creditCost'> & { tokenDetails?: Pick<shapes.TokenDetails, 'creditsSaved'> | null | undefined }): string {
  const cost = creditCost === null || creditCost === undefined ? '–' : count(creditCost);
  const saved = tokenDetails?.creditsSaved ?? 0;
  return saved === 0 ? cost : `${cost} ${texts.runs.saved(count(saved))}`;
}
