import { contextWithRights, platformToolVerdict, readAgentRights } from '@lensforge/agents';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { NewToolCall } from '@lensforge/runs';
import { type Tool, refuseWithoutPermission } from '@lensforge/tools';
import type { Conversation } from './agent-task.js';
import type { AgentTeam } from './agent-team.js';
import { throughRecording } from '../engine/recorded-calls.js';
import { RunFailure } from '../engine/run-failure.js';
import { asAgentFailure } from './agent-failure.js';
import { storable, toToolOrder } from './pending-tool-call.js';
import { toToolOutcome } from './perform-platform-tool.js';

/**
 * Performs the calls of a step when all of them are allowed tools of the platform that only read, so that the step is stored
 * once, with their results. A call without a result is performed behind the stored step.
 */
export async function performReads(
  team: AgentTeam,
  { agents, toolSet, path }: Conversation,
  { step, calls }: { step: number; calls: readonly NewToolCall[] },
): Promise<NewToolCall[]> {
  const reads = calls.flatMap((call) => {
    const tool = call.toolId === null ? undefined : toolSet.byId(call.toolId);
    return tool?.kind === 'platform' && tool.tool.class === 'Read' ? [{ call, tool: tool.tool }] : [];
  });
  const agent = agents.at(-1);
  if (!agent || reads.length === 0 || reads.length < calls.length) return [...calls];
  const { owner, signal, work } = team;
  const rights = await withDbRetry(() => readAgentRights(owner, agent.id));
  return Promise.all(
    reads.map(async ({ call, tool }, index) => {
      if (platformToolVerdict(rights, { toolId: tool.name }).verdict !== 'allow') return call;
      const order = toToolOrder(team, { path, step, position: index + 1 }, { toolId: tool.name, input: call.input });
      const make = () => read(contextWithRights(owner, rights, tool.name), call, tool);
      const answer = throughRecording(owner, work.run.cause, order, { make });
      const result = await answer.catch((reason: unknown) => {
        signal.throwIfAborted();
        if (reason instanceof RunFailure) throw asAgentFailure(reason);
        work.parts.log.warn({ err: reason, ...work.node, toolId: tool.name }, 'a tool failed unexpectedly');
      });
      return result ? { ...call, result: result.value } : call;
    }),
  );
}

async function read(ctx: Context, { input }: NewToolCall, tool: Tool): Promise<NonNullable<NewToolCall['result']>> {
  const refusal = refuseWithoutPermission(ctx.actor, tool);
  const { text, isError } = toToolOutcome(refusal ?? (await tool.call(ctx, input)));
  return { text: storable(text), isError };
}
