import type { Context } from '@lensforge/core';
import { badInput, isUuid, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { valid } from 'semver';
import { writableLens } from './access.js';
import type { LabelDetail } from './shapes.js';
import { versionOf } from './version-reads.js';

const pattern = /^[a-z][a-z0-9._-]{0,63}$/;
const reserved = ['head', 'latest'];
const maxLabels = 100;

export interface LabelMove {
  lensId: string;
  label: string;
  /** The id, number or another label of the version. */
  version: string;
}

/** Points a label at a version. Moving `production` back rolls a lens back. */
export async function setLensLabel(ctx: Context, { lensId, label, version }: LabelMove): Promise<LabelDetail> {
  requireValidLabel(label);
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const target = await versionOf(ctx.db, lens, version);
    const now = ctx.now();
    const [{ labels }] = await ctx.db.query<[{ labels: number }]>(
      'select count(*)::int as labels from lens_labels where lens_id = $1 and label <> $2',
      [lens.id, label],
    );
    if (labels >= maxLabels) throw badInput('label', `a lens has at most ${maxLabels} labels; remove one first`);
    await ctx.db.query(
      `insert into lens_labels (lens_id, label, version_id, updated_at) values ($1, $2, $3, $4)
       on conflict (lens_id, label) do update set version_id = excluded.version_id, updated_at = excluded.updated_at`,
      [lens.id, label, target.id, now],
    );
    return { label, versionId: target.id, semver: target.semver, updatedAt: now.toISOString() };
  });
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
  { lensId, label }: Omit<LabelMove, 'version'>,
): Promise<{ lensId: string; label: string; removed: true }> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const [, removed] = await ctx.db.query<[unknown, number]>(
      'delete from lens_labels where lens_id = $1 and label = $2',
      [lens.id, label],
    );
    if (removed === 0) throw notFound('label of this lens', label);
    return { lensId: lens.id, label, removed: true };
  });
}
