import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { LabelArm, WantedArm } from '@lensforge/contracts';
import type { FindEvidence, LabelMove as Move, LabelPlace, Return } from '@lensforge/releases';
import { type LensHead, writableLens } from './access.js';
import { serveVersion } from './serve-version.js';
import type { LabelDetail, VersionDetail } from './shapes.js';
import { readRules } from './read-rules.js';
import { lensLabels, readLensVersion, versionById } from './version-reads.js';

export interface LabelMove extends Omit<Move, 'versionId' | 'arms'> {
  lensId: string;
  /** The id, number or another label of the version. */
  version: string;
  arms?: readonly WantedArm[] | null | undefined;
}

/** Points a label at a version. */
export function setLensLabel(
  ctx: Context,
  { lensId, version, arms: wanted, ...move }: LabelMove,
  findEvidence?: FindEvidence,
): Promise<LabelDetail> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const target = await readLensVersion(ctx.db, lens, version);
    const rules = await readRules(ctx, lens.accountId, move.rules);
    const arms = wanted && (await readArms(ctx, lens, wanted));
    const place = await lensLabels.set(ctx, lens, { ...move, ...rules, versionId: target.id, arms }, findEvidence);
    // A proposed move leaves the label where it is.
    const placed = place.versionId === target.id ? target : await versionById(ctx.db, place.versionId);
    await serveMoved(ctx, lens, place, placed);
    return { ...place, semver: placed.semver };
  });
}

/** Points a label at the version that it had before. */
export function returnLensLabel(ctx: Context, { lensId, ...move }: { lensId: string } & Return): Promise<LabelDetail> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const place = await lensLabels.return(ctx, lens, move);
    const target = await versionById(ctx.db, place.versionId);
    await serveMoved(ctx, lens, place, target);
    return { ...place, semver: target.semver };
  });
}

function readArms({ db }: Context, lens: LensHead, arms: readonly WantedArm[]): Promise<LabelArm[]> {
  return Promise.all(
    arms.map(async ({ version, weight }) => {
      const { id: versionId, semver } = await readLensVersion(db, lens, version);
      return { versionId, version: semver, weight };
    }),
  );
}

async function serveMoved(
  ctx: Context,
  lens: LensHead,
  { label, arms }: LabelPlace,
  version: VersionDetail,
): Promise<void> {
  if (lens.defaultLabel === label) await serveVersion(ctx, lens, version, arms);
}

/** Removes a label; the version stays. */
export function removeLensLabel(
  ctx: Context,
  { lensId, label }: Pick<LabelMove, 'lensId' | 'label'>,
): Promise<{ lensId: string; label: string; removed: true }> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    if (lens.defaultLabel === label) {
      throw new DomainError(
        'CONFLICT',
        `${label} is the default label of the lens: set defaultLabel to another one or null first`,
      );
    }
    await lensLabels.remove(ctx, lens, label);
    return { lensId: lens.id, label, removed: true };
  });
}
