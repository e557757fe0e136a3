import type { LabelArm, LabelBounds, LabelReturned } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { IsNull, LessThan } from 'typeorm';
import { LabelWatch } from './label-watch.entity.js';

interface WatchedLabel {
  kind: 'lens' | 'workflow';
  ownerId: string;
  label: string;
}

/** Watches the runs of a label that was moved, if it has bounds, and arms or a version to return to. */
export async function startWatch(
  { db, ...ctx }: Context,
  watched: WatchedLabel & {
    accountId: string;
    versionId: string;
    arms: LabelArm[] | null;
    bounds: LabelBounds | null;
  },
  beforeId: string | null,
): Promise<void> {
  const { bounds, arms } = watched;
  if (!bounds || (!arms && beforeId === null)) return;
  const [since, lookedAt] = [ctx.now(), ctx.now()];
  await db.insert(LabelWatch, { id: newId(), ...watched, bounds, beforeId, since, lookedAt, state: null });
}

/** Ends the watch of a label; one that returned by itself is kept for its notice. */
export async function endWatch(
  { db, ...ctx }: Context,
  { kind, ownerId, label }: WatchedLabel,
  returned: LabelReturned | null = null,
): Promise<void> {
  const open = { kind, ownerId, label, endedAt: IsNull() };
  if (returned) await db.update(LabelWatch, open, { endedAt: ctx.now(), returned });
  else await db.delete(LabelWatch, open);
}

/** Ends a watch whose label is gone. */
export const dropWatch = async ({ db }: Context, { id }: Pick<LabelWatch, 'id'>): Promise<void> => {
  await db.delete(LabelWatch, { id, endedAt: IsNull() });
};

/** The watches that were not looked at for a while, the longest first. */
export const listDueWatches = ({ db }: Context, before: Date, limit: number): Promise<LabelWatch[]> =>
  db.find(LabelWatch, {
    where: { endedAt: IsNull(), lookedAt: LessThan(before) },
    order: { lookedAt: 'asc' },
    take: limit,
  });

/** Stores what was found, unless another process did or the label has moved. */
export async function recordLook(
  { db }: Context,
  { id, lookedAt }: Pick<LabelWatch, 'id' | 'lookedAt'>,
  found: Pick<LabelWatch, 'state' | 'lookedAt'>,
): Promise<boolean> {
  const { affected } = await db.update(LabelWatch, { id, lookedAt, endedAt: IsNull() }, found);
  return affected === 1;
}
