import type { Context } from '@lensforge/core';
import { DomainError, isServiceRole, notFound } from '@lensforge/core';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import { lensesByIds, readTogether } from './read-together.js';

export interface LensHead {
  id: string;
  accountId: string;
  title: string;
  description: string;
  visibility: LensVisibility;
  status: LensStatus;
  headVersionId: string;
  tags: string[];
}

type Judged = Pick<LensHead, 'accountId' | 'visibility' | 'status'>;

/** One's own in any state, others' when published and public or, for those who have an account, of the community. */
export function canSee(ctx: Context, { accountId, visibility, status }: Judged): boolean {
  if (isServiceRole(ctx) || accountId === ctx.actor.accountId) return true;
  if (status !== 'published') return false;
  return visibility === 'public' || (visibility === 'community' && ctx.actor.credential.kind !== 'anonymous');
}

export const canChange = (ctx: Context, { accountId }: Pick<Judged, 'accountId'>): boolean =>
  isServiceRole(ctx) || accountId === ctx.actor.accountId;

const columns = `
  id, account_id as "accountId", title, description, visibility, status, head_version_id as "headVersionId", tags`;
const head = readTogether<LensHead>(`select ${columns} from ${lensesByIds} l where deleted_at is null`);
const heldHead = `select ${columns} from lenses where id = $1 and deleted_at is null for no key update`;

/** The lens as far as the caller may see it; what they may not see does not exist. */
export async function readableLens(ctx: Context, lensId: string): Promise<LensHead> {
  return judged(ctx, lensId, await head(ctx.db, lensId));
}

/** The caller's own lens, held against changes by others until the transaction ends. */
export async function writableLens(ctx: Context, lensId: string): Promise<LensHead> {
  const [held] = await ctx.db.query<LensHead[]>(heldHead, [lensId]);
  const lens = judged(ctx, lensId, held);
  if (!canChange(ctx, lens)) {
    throw new DomainError('FORBIDDEN', `The lens ${lens.id} is not yours to change: fork it to have one of your own`);
  }
  return lens;
}

function judged(ctx: Context, lensId: string, lens: LensHead | undefined): LensHead {
  if (!lens || !canSee(ctx, lens)) throw notFound('lens', lensId);
  return lens;
}
