import { hash } from 'node:crypto';
import type { LensSettings } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableLens } from './access.js';
import { LensVersion } from './lens-version.entity.js';
import type { LensMessage } from './messages.js';
import { isSameContent, readContent } from './update-lens.js';
import { versionById } from './version-reads.js';
import { insertVersion } from './write-lens.js';

export interface Candidate {
  lensId: string;
  templateBody?: string | undefined;
  messages?: readonly LensMessage[] | undefined;
  /** The settings of the newest version when absent; null removes them. */
  settings?: LensSettings | null | undefined;
}

export interface SavedCandidate {
  versionId: string;
  semver: string;
  /** False for the content of the newest version, which is saved already. */
  isCandidate: boolean;
}

/**
 * Saves a text as a version that is only tried: the newest version stays, and lists of versions do not have it. The same
 * content is saved once.
 */
export function saveCandidate(ctx: Context, { lensId, ...candidate }: Candidate): Promise<SavedCandidate> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const head = await versionById(ctx.db, lens.headVersionId);
    const content = await readContent(ctx, { lens, head }, candidate);
    if (isSameContent(content, head)) return { versionId: head.id, semver: head.semver, isCandidate: false };
    const { templateBody, settings, includes } = content;
    const digest = hash('sha256', JSON.stringify([templateBody, settings, includes])).slice(0, 12);
    const semver = `${head.semver}-candidate.x${digest}`;
    const known = await ctx.db.findOne(LensVersion, { select: { id: true }, where: { lensId: lens.id, semver } });
    if (known) return { versionId: known.id, semver, isCandidate: true };
    const id = newId();
    const changelog = 'A candidate';
    await insertVersion(ctx, lens.id, { ...content, id, semver, changelog, createdAt: ctx.now(), isCandidate: true });
    return { versionId: id, semver, isCandidate: true };
  });
}
