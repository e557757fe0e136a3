import { findOwnAgent, ownAgent, requireActive } from '@lensforge/agents';
import { withDbRetry } from '@lensforge/database';
import type { OwnAiLenser } from '@lensforge/identity';
import { finalFailure } from './agent-failure.js';
import type { AgentTeam } from './agent-team.js';

/** An active AI lenser of the owner of the run, by its handle or id. */
export async function agentOfNode({ owner }: AgentTeam, name: string): Promise<OwnAiLenser> {
  const id = await withDbRetry(() => findOwnAgent(owner, owner.actor.accountId, name));
  if (id === undefined) throw finalFailure('NOT_FOUND', `The owner of this run has no AI lenser ${name}`);
  const agent = await withDbRetry(() => ownAgent(owner, id));
  requireActive(agent);
  return agent;
}
