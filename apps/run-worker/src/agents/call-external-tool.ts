import { toolVerdict } from '@lensforge/agents';
import { Stopped } from '../engine/attempt.js';
import { throughRecording } from '../engine/recorded-calls.js';
import { RunFailure } from '../engine/run-failure.js';
import { asAgentFailure } from './agent-failure.js';
import type { AgentTool } from './agent-tools.js';
import { type CallEnd, type PendingToolCall, deniedOutcome, toToolOrder, unknownOutcome } from './pending-tool-call.js';
import type { ExternalToolRef } from './external-tools.js';
import type { ToolOutcome } from './tool-events.js';

/** Calls a tool of an external server. A call that may have reached its server is repeated only if that has no second effect. */
export async function callExternalTool(
  call: PendingToolCall,
  { toolId, tool }: Extract<AgentTool, { kind: 'external' }>,
): Promise<CallEnd> {
  if (call.call.state === 'running' && !tool.idempotent) return call.settleAlone(unknownOutcome);
  const refusal = call.call.state === 'running' ? undefined : await startCall(call);
  if (refusal) return undefined;
  const { team, idempotencyKey } = call;
  team.work.beforeEffect();
  const { signal } = team;
  const order = toToolOrder(team, call.ref, { toolId, input: call.call.input });
  const make = () =>
    team.work.parts.externalTools.call(team.owner, parseToolRef(toolId), call.call.input, { idempotencyKey, signal });
  const result = await throughRecording(team.owner, team.work.run.cause, order, { make })
    .then(({ value }) => value)
    .catch((reason: unknown): ToolOutcome => {
      signal.throwIfAborted();
      if (reason instanceof RunFailure || !(reason instanceof Error)) throw asAgentFailure(reason);
      team.work.parts.log.warn({ err: reason, ...team.work.node, toolId }, 'an external tool failed unexpectedly');
      return { text: 'The call failed unexpectedly', isError: true };
    });
  return call.settleAlone({ text: result.text, isError: result.isError });
}

/** Marks a call as running when its grant allows it; otherwise stores and returns its refusal. */
export async function startCall(call: PendingToolCall): Promise<ToolOutcome | undefined> {
  const { agentId, toolId } = call;
  const end = await call.team.write(async (ctx): Promise<ToolOutcome | 'started' | 'lost'> => {
    const decided = await toolVerdict(ctx, { agentId, toolId });
    const refusal = decided.verdict === 'allow' ? undefined : deniedOutcome(toolId, decided.reason ?? 'policy');
    const isHeld = refusal ? await call.settle(ctx, refusal) : await call.move(ctx, { state: 'running' });
    if (!isHeld) return 'lost';
    await call.recordVerdict(ctx, decided);
    return refusal ?? 'started';
  });
  if (end === 'lost') throw new Stopped('lost');
  call.remember(end === 'started' ? 'running' : end);
  return end === 'started' ? undefined : end;
}

/** The server and tool in `mcp:<connector>/<tool>`. */
function parseToolRef(toolId: string): ExternalToolRef {
  const [connector = '', ...name] = toolId.slice('mcp:'.length).split('/');
  return { connector, name: name.join('/') };
}
