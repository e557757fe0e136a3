import type { AiLenser } from '@lensforge/contracts';
import { type Context, DomainError, isServiceRole, notFound } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { aiLensers, publicColumns } from './ai-lenser-rows.js';

/** An AI lenser with the members that only its owner may see. */
export type OwnAiLenser = Required<AiLenser>;

const byId = `select ${publicColumns}, l.instructions, l.policy from ${aiLensers} where l.account_id = $1`;
const find = preparedStatement(byId);
const findLocked = preparedStatement(`${byId} for no key update of l`);

/** An AI lenser, active or archived; its owner and the service role also get instructions and policy. */
export async function readableAiLenser(ctx: Context, aiLenserId: string): Promise<AiLenser> {
  const { instructions, policy, ...profile } = await findAiLenser(ctx, aiLenserId, find);
  return isOwn(ctx, profile) ? { ...profile, instructions, policy } : profile;
}

/** An AI lenser of the caller, active or archived, locked until the transaction ends. */
export async function ownedAiLenser(ctx: Context, aiLenserId: string): Promise<OwnAiLenser> {
  const found = await findAiLenser(ctx, aiLenserId, findLocked);
  if (isOwn(ctx, found)) return found;
  throw new DomainError('FORBIDDEN', `The AI lenser ${found.handle} belongs to another person`);
}

const findNamed = preparedStatement(`select ${publicColumns} from ${aiLensers} where a.handle = $1`);

/** An AI lenser by its handle, active or archived, without instructions and policy. */
export async function aiLenserNamed(
  ctx: Context,
  handle: string,
): Promise<Omit<OwnAiLenser, 'instructions' | 'policy'>> {
  const [found] = await ctx.db.query<Omit<OwnAiLenser, 'instructions' | 'policy'>[]>(findNamed, [handle.toLowerCase()]);
  if (!found) throw notFound('AI lenser', handle);
  return found;
}

const isOwn = (ctx: Context, { owner }: AiLenser): boolean => isServiceRole(ctx) || owner.id === ctx.actor.accountId;

async function findAiLenser(ctx: Context, aiLenserId: string, statement: string): Promise<OwnAiLenser> {
  const [found] = await ctx.db.query<OwnAiLenser[]>(statement, [aiLenserId]);
  if (!found) throw notFound('AI lenser', aiLenserId);
  return found;
}
