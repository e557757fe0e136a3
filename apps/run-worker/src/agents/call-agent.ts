import { findOwnAgent, ownAgent } from '@lensforge/agents';
import { withDbRetry } from '@lensforge/database';
import type { OwnAiLenser } from '@lensforge/identity';
import { AgentFailure } from './agent-failure.js';
import type { Converse } from './agent-task.js';
import type { AgentTool } from './agent-tools.js';
import { startCall } from './call-external-tool.js';
import type { CallEnd, PendingToolCall } from './pending-tool-call.js';
import type { ToolOutcome } from './tool-events.js';

/** The levels of agents: the agent of a node, those that it calls, and so on. */
export const maxAgentDepth = 4;

/** Has another agent of the same owner work on a task, within the limits of the node. Its steps are stored like all others. */
export async function callAgent(
  call: PendingToolCall,
  { handle }: Extract<AgentTool, { kind: 'agent' }>,
  converse: Converse,
): Promise<CallEnd> {
  const isStarted = call.call.state === 'running' || (await startCall(call)) === undefined;
  if (!isStarted) return undefined;
  const { team, conversation, input, step } = call;
  const callers = conversation.agents;
  const { task } = input;
  if (typeof task !== 'string' || task.trim() === '') return call.settleAlone(failure('task is required: a text'));
  if (callers.length >= maxAgentDepth) {
    return call.settleAlone(failure(`agents may call each other at most ${maxAgentDepth} levels deep`));
  }
  const agent = await agentNamed(call, handle);
  if (!agent) return call.settleAlone(failure(`there is no active agent ${handle}`));
  const position = `${step}.${call.call.position}`;
  const path = conversation.path === '' ? position : `${conversation.path}/${position}`;
  try {
    const answer = await converse(team, { agents: [...callers, agent], path, task, inputs: {} });
    if (answer.kind === 'waiting') return answer.dueMs;
    await call.settleAlone({ text: answer.text, isError: false });
    return undefined;
  } catch (reason) {
    if (!(reason instanceof AgentFailure) || reason.endsNode) throw reason;
    return call.settleAlone(failure(`the agent ${handle} failed: ${reason.outcome.code}: ${reason.message}`));
  }
}

async function agentNamed({ team: { owner } }: PendingToolCall, handle: string): Promise<OwnAiLenser | undefined> {
  const id = await withDbRetry(() => findOwnAgent(owner, owner.actor.accountId, handle));
  const agent = id === undefined ? undefined : await withDbRetry(() => ownAgent(owner, id));
  return agent?.status === 'active' ? agent : undefined;
}

const failure = (why: string): ToolOutcome => ({ text: `The call failed: ${why}`, isError: true });
