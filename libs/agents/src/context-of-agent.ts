import type { Scope } from '@lensforge/contracts';
import { grantableScope, grants } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { isServiceRole } from '@lensforge/core';
import type { OwnAiLenser } from '@lensforge/identity';
import { ownAgent } from './access.js';

/** Tools that concern the AI lenser as a contender or voter, who is not its owner. */
const toolsAsLenser: readonly string[] = ['cast_vote', 'submit_battle_run', 'add_battle_contender'];

/**
 * The context in which an AI lenser of the caller uses a tool: with the rights of its owner, as far as its grants and the
 * caller's scopes go. What it creates belongs to its owner, who pays under the cap of the policy. In battles it takes part
 * under its own account.
 */
export async function contextOfAgent(ctx: Context, agentId: string, toolId?: string): Promise<Context> {
  const agent = await ownAgent(ctx, agentId);
  const rows = await ctx.db.query<{ toolId: string }[]>(
    'select tool_id as "toolId" from agent_tools where agent_id = $1 and allowed',
    [agent.id],
  );
  const granted = new Set(rows.map((row) => grantableScope(row.toolId)).filter((scope) => scope !== undefined));
  const scopes = [...granted].filter((scope) => isServiceRole(ctx) || grants(ctx.actor.scopes, scope));
  const context = contextWith(ctx, agent, scopes);
  const isAsLenser = toolId !== undefined && toolsAsLenser.includes(toolId);
  return isAsLenser ? { ...context, actor: { ...context.actor, accountId: agent.id } } : context;
}

/** The context in which an AI lenser acts for its owner with these scopes. */
export function contextWith(
  ctx: Context,
  { id, owner, policy: { creditsPerDay: credits } }: Pick<OwnAiLenser, 'id' | 'owner' | 'policy'>,
  scopes: readonly Scope[],
): Context {
  const creditLimit = credits === null ? {} : { creditLimit: { id, credits, period: 'day', of: 'agent' } as const };
  return {
    ...ctx,
    actor: { credential: { kind: 'service', id, ...creditLimit }, accountId: owner.id, userId: null, scopes },
  };
}
