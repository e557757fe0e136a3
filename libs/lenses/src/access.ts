import { type Context, DomainError, isServiceRole, notFound } from '@lensforge/core';
import type { LabelArm } from '@lensforge/contracts';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import { lensesByIds, batchedRead } from './batched-read.js';

export interface LensHead {
  id: string;
  accountId: string;
  title: string;
  description: string;
  visibility: LensVisibility;
  status: LensStatus;
  /** The newest version. */
  headVersionId: string;
  /** The version that callers without a version get. */
  servedVersionId: string;
  /** The label that decides about it; null for the newest version. */
  defaultLabel: string | null;
  /** Its arms. */
  servedArms: LabelArm[] | null;
  tags: string[];
}

type AccessFields = Pick<LensHead, 'accountId' | 'visibility' | 'status'>;

/** Owners see all their lenses; other accounts published public and community ones, anonymous callers published public ones. */
export function canSee(ctx: Context, { accountId, visibility, status }: AccessFields): boolean {
  if (isServiceRole(ctx) || accountId === ctx.actor.accountId) return true;
  if (status !== 'published') return false;
  return visibility === 'public' || (visibility === 'community' && ctx.actor.credential.kind !== 'anonymous');
}

/** SQL of the title of a lens for an account, or null when the account may not see it; like canSee. */
export const seenLensTitle = (lensId: string, accountId: string): string =>
  `(select case when l.deleted_at is null
                 and (l.account_id = ${accountId} or (l.status = 'published' and l.visibility <> 'private'))
               then l.title end
      from lenses l where l.id = ${lensId})`;

/** SQL of the version of a lens, as semver. Anyone with a run of it may see that. */
export const lensVersionText = (versionId: string): string =>
  `(select v.semver from lens_versions v where v.id = ${versionId})`;

export const canChange = (ctx: Context, { accountId }: Pick<AccessFields, 'accountId'>): boolean =>
  isServiceRole(ctx) || accountId === ctx.actor.accountId;

/** The columns of a LensHead. */
export const headColumns = `
  l.id, l.account_id as "accountId", l.title, l.description, l.visibility, l.status, l.head_version_id as "headVersionId",
  coalesce(l.served_version_id, l.head_version_id) as "servedVersionId", l.default_label as "defaultLabel",
  l.served_arms as "servedArms", l.tags`;
const readHead = batchedRead<LensHead>(`select ${headColumns} from ${lensesByIds} l where deleted_at is null`);
const lockedHead = `select ${headColumns} from lenses l where id = $1 and deleted_at is null for no key update`;

/** A lens that the caller may see; NOT_FOUND otherwise. */
export async function readableLens(ctx: Context, lensId: string): Promise<LensHead> {
  return requireVisible(ctx, lensId, await readHead(ctx, lensId));
}

/** A lens that the caller may change, locked until the transaction ends. */
export async function writableLens(ctx: Context, lensId: string): Promise<LensHead> {
  const [locked] = await ctx.db.query<LensHead[]>(lockedHead, [lensId]);
  return requireOwn(ctx, requireVisible(ctx, lensId, locked));
}

/** A lens that the caller may change, without a lock. */
export async function ownLens(ctx: Context, lensId: string): Promise<LensHead> {
  return requireOwn(ctx, await readableLens(ctx, lensId));
}

function requireOwn(ctx: Context, lens: LensHead): LensHead {
  if (canChange(ctx, lens)) return lens;
  throw new DomainError('FORBIDDEN', `The lens ${lens.id} is not yours to change: fork it to have one of your own`);
}

function requireVisible(ctx: Context, lensId: string, lens: LensHead | undefined): LensHead {
  if (!lens || !canSee(ctx, lens)) throw notFound('lens', lensId);
  return lens;
}
