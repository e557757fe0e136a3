import { hash } from 'node:crypto';
import type { LabelArm } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';

/** The version of a label, and the arms that a part of its callers get instead. */
export interface Split {
  versionId: string;
  arms: readonly LabelArm[] | null;
}

/** The sticky key of a request as it is stored with its run. */
export const hashStickyKey = (key: string): string => hash('sha256', key, 'base64url').slice(0, 22);

/** The hash of an account, whose runs without a sticky key all get the same arm. */
export const stickyHashOf = ({ actor }: Pick<Context, 'actor'>, stored: string | null | undefined): string =>
  stored ?? hashStickyKey(actor.accountId);

/**
 * The version for callers with a sticky key. The same keys stay in an arm while its weight grows; with another version of
 * the label they are drawn again.
 */
export function chooseArm({ versionId, arms }: Split, place: string, stickyHash: string): string {
  if (!arms) return versionId;
  let left = toPercent(hash('sha256', `${place} ${versionId} ${stickyHash}`));
  for (const arm of arms) {
    left -= arm.weight;
    if (left < 0) return arm.versionId;
  }
  return versionId;
}

/** The first 48 bits of a hash in hex, as a number from 0 to 100. */
const toPercent = (hex: string): number => (Number.parseInt(hex.slice(0, 12), 16) / 2 ** 48) * 100;

/** Refuses arms that name one version twice, or that leave nothing to the version of the label. */
export function requireValidArms(versionId: string, arms: readonly LabelArm[]): void {
  const ids = [versionId, ...arms.map((arm) => arm.versionId)];
  if (new Set(ids).size < ids.length)
    throw badInput('arms', 'name one version twice: the rest gets the version of the label');
  const sum = arms.reduce((total, { weight }) => total + weight, 0);
  if (sum >= 100) {
    throw badInput(
      'arms',
      `have ${sum} percent together: leave some to the version of the label, or point it at the arm`,
    );
  }
}

/** True for arms with the same versions and weights. */
export const areSameArms = (one: readonly LabelArm[] | null, other: readonly LabelArm[] | null): boolean =>
  JSON.stringify(toPairs(one)) === JSON.stringify(toPairs(other));

const toPairs = (arms: readonly LabelArm[] | null) => arms?.map(({ versionId, weight }) => [versionId, weight]) ?? [];
