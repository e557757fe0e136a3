import { inToolSpan } from './agent-spans.js';
import type { Conversation, Converse } from './agent-task.js';
import type { AgentTeam } from './agent-team.js';
import type { Move } from './conversation.js';
import { askCaller } from './ask-caller.js';
import { callAgent } from './call-agent.js';
import { callExternalTool } from './call-external-tool.js';
import { callPlatformTool } from './call-platform-tool.js';
import { type CallEnd, PendingToolCall } from './pending-tool-call.js';

/**
 * Performs the calls of a step side by side. Returns the shortest time until which one waits for its approval or for the caller;
 * undefined when all have results.
 */
export async function callTools(
  team: AgentTeam,
  conversation: Conversation,
  { step, calls }: Extract<Move, { kind: 'call' }>,
  converse: Converse,
): Promise<CallEnd> {
  team.requireTime();
  const pending = calls.map((call) => new PendingToolCall(team, conversation, { step, call }));
  const ofCaller = pending.filter(({ tool }) => tool?.kind === 'client');
  const own = pending.filter(({ tool }) => tool?.kind !== 'client');
  const ends = await Promise.allSettled([
    ...own.map((call) => inToolSpan(describe(call), () => callTool(call, converse))),
    ...(ofCaller.length > 0 ? [askCaller(team, ofCaller)] : []),
  ]);
  const fault = ends.find((end) => end.status === 'rejected');
  if (fault) throw team.toStopReason(fault.reason);
  const waits = ends.flatMap((end) => (end.status === 'fulfilled' && end.value !== undefined ? [end.value] : []));
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

const describe = ({ call, tool }: PendingToolCall): Parameters<typeof inToolSpan>[0] => ({
  name: call.toolId ?? call.name,
  callId: call.callId,
  isExternal: tool?.kind === 'external',
});

async function callTool(call: PendingToolCall, converse: Converse): Promise<CallEnd> {
  const { tool } = call;
  switch (tool?.kind) {
    case 'platform':
      return callPlatformTool(call, tool);
    case 'external':
      return callExternalTool(call, tool);
    case 'agent':
      return callAgent(call, tool, converse);
    case 'client':
    case undefined:
      return call.refuseUnknownTool();
  }
}
