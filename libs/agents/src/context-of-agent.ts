import { type Scope, grantableScope, grants } from '@lensforge/contracts';
import { type Context, isServiceRole, notFound } from '@lensforge/core';
import type { OwnAiLenser } from '@lensforge/identity';
import { type AgentRights, readAgentRights } from './grants/agent-rights.js';

/** Tools that concern the AI lenser as a contender or voter, who is not its owner. */
const toolsAsLenser: readonly string[] = ['cast_vote', 'submit_battle_run', 'add_battle_contender'];

/**
 * The context in which an AI lenser of the caller uses a tool: with the rights of its owner, as far as its grants and the
 * caller's scopes go. What it creates belongs to its owner, who pays under the cap of the policy. In battles it takes part
 * under its own account.
 */
export const contextOfAgent = async (ctx: Context, agentId: string, toolId?: string): Promise<Context> =>
  contextWithRights(ctx, await readAgentRights(ctx, agentId), toolId);

/** The same with rights that were read. */
export function contextWithRights(ctx: Context, rights: AgentRights, toolId?: string): Context {
  const { agentId: id, ownerId, isOwnerDisabled, policy, grants: tools } = rights;
  const isOwn = isServiceRole(ctx) || ownerId === ctx.actor.accountId;
  if (!isOwn || isOwnerDisabled) throw notFound('AI lenser', id);
  const granted = Object.keys(tools).filter((tool) => tools[tool]);
  const ofGrants = new Set(granted.map(grantableScope).filter((scope) => scope !== undefined));
  const scopes = [...ofGrants].filter((scope) => isServiceRole(ctx) || grants(ctx.actor.scopes, scope));
  const context = contextWith(ctx, { id, owner: { id: ownerId }, policy }, scopes);
  const isAsLenser = toolId !== undefined && toolsAsLenser.includes(toolId);
  return isAsLenser ? { ...context, actor: { ...context.actor, accountId: id } } : context;
}

/** The context in which an AI lenser acts for its owner with these scopes. */
export function contextWith(
  ctx: Context,
  {
    id,
    owner,
    policy: { creditsPerDay: credits },
  }: Pick<OwnAiLenser, 'id' | 'policy'> & { owner: Pick<OwnAiLenser['owner'], 'id'> },
  scopes: readonly Scope[],
): Context {
  const creditLimit = credits === null ? {} : { creditLimit: { id, credits, period: 'day', of: 'agent' } as const };
  return {
    ...ctx,
    actor: { credential: { kind: 'service', id, ...creditLimit }, accountId: owner.id, userId: null, scopes },
  };
}
