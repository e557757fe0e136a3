import { type Context, DomainError, badInput, isUuid, newId, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { valid } from 'semver';
import { writableLens } from './access.js';
import type { LabelDetail } from './shapes.js';
import { readLensVersion } from './version-reads.js';
import { LensLabel } from './lens-label.entity.js';
import { readLabel, requirePerson, serveVersion } from './serve-version.js';

const pattern = /^[a-z][a-z0-9._-]{0,63}$/;
const reserved = ['head', 'latest'];
const maxLabels = 100;

export interface LabelMove {
  lensId: string;
  label: string;
  /** The id, number or another label of the version. */
  version: string;
  /** Only a person who is signed in can move or remove a protected label. Unchanged when absent. */
  protected?: boolean | undefined;
}

/** Points a label at a version. Moving `production` back rolls a lens back. */
export async function setLensLabel(ctx: Context, move: LabelMove): Promise<LabelDetail> {
  const { lensId, label, version } = move;
  requireValidLabel(label);
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const target = await readLensVersion(ctx.db, lens, version);
    const now = ctx.now();
    const before = await readLabel(ctx, lens.id, label);
    const isProtected = move.protected ?? before?.protected ?? false;
    if (isProtected || before?.protected) requirePerson(ctx, label);
    const [{ labels }] = await ctx.db.query<[{ labels: number }]>(
      'select count(*)::int as labels from lens_labels where lens_id = $1 and label <> $2',
      [lens.id, label],
    );
    if (labels >= maxLabels) throw badInput('label', `a lens has at most ${maxLabels} labels; remove one first`);
    await ctx.db.query(
      `insert into lens_labels (lens_id, label, version_id, protected, updated_at) values ($1, $2, $3, $4, $5)
       on conflict (lens_id, label) do update
          set version_id = excluded.version_id, protected = excluded.protected, updated_at = excluded.updated_at`,
      [lens.id, label, target.id, isProtected, now],
    );
    if (before?.versionId !== target.id) await recordLabelMove(ctx, { lensId: lens.id, label, versionId: target.id });
    if (lens.defaultLabel === label) await serveVersion(ctx, lens, target);
    return {
      label,
      versionId: target.id,
      semver: target.semver,
      protected: isProtected,
      updatedAt: now.toISOString(),
    };
  });
}

async function recordLabelMove(
  ctx: Context,
  { lensId, label, versionId }: { lensId: string; label: string; versionId: string | null },
): Promise<void> {
  await ctx.db.query(
    `insert into lens_label_moves (id, lens_id, label, version_id, credential_kind, moved_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [newId(), lensId, label, versionId, ctx.actor.credential.kind, ctx.now()],
  );
}

/** Refuses labels that could be read as an id or version number. */
export function requireValidLabel(label: string): void {
  if (pattern.test(label) && !reserved.includes(label) && !isUuid(label) && valid(label) === null) return;
  throw badInput(
    'label',
    `"${label.slice(0, 80)}" cannot be a label: use 1 to 64 characters of a-z 0-9 . _ - beginning with a letter, and not ${reserved.join(' or ')}`,
  );
}

/** Removes a label; the version stays. */
export function removeLensLabel(
  ctx: Context,
  { lensId, label }: Pick<LabelMove, 'lensId' | 'label'>,
): Promise<{ lensId: string; label: string; removed: true }> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const before = await readLabel(ctx, lens.id, label);
    if (!before) throw notFound('label of this lens', label);
    if (before.protected) requirePerson(ctx, label);
    if (lens.defaultLabel === label) {
      throw new DomainError(
        'CONFLICT',
        `${label} is the default label of the lens: set defaultLabel to another one or null first`,
      );
    }
    await ctx.db.delete(LensLabel, { lensId: lens.id, label });
    await recordLabelMove(ctx, { lensId: lens.id, label, versionId: null });
    return { lensId: lens.id, label, removed: true };
  });
}
