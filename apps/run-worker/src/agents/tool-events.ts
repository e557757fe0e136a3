import type { PricedUsage } from '@lensforge/models';
import type { NewRunEvent, StoredToolCall } from '@lensforge/runs';
import type { AgentTeam } from './agent-team.js';

export const maxInEvent = 16_384;

/** The arguments of a call, or the beginning of their JSON. */
export function inputInEvent(input: unknown): unknown {
  const json = JSON.stringify(input);
  return json.length <= maxInEvent ? input : json.slice(0, maxInEvent).toWellFormed();
}

/** The use of a step in its event. */
export const toStepUsage = ({ tokenInput, tokenOutput, tokenDetails, cost: creditCost }: PricedUsage) => ({
  tokenInput,
  tokenOutput,
  ...(tokenDetails && { tokenDetails }),
  creditCost,
});

export interface ToolOutcome {
  text: string;
  isError: boolean;
  /** The outcome is not known: a worker was lost during the call. */
  isUnknown?: boolean;
}

export const resultEvent = (
  team: AgentTeam,
  { path, step, call }: { path: string; step: number; call: Pick<StoredToolCall, 'position' | 'toolId' | 'name'> },
  { text, isError, isUnknown = false }: ToolOutcome,
): NewRunEvent => ({
  type: 'agent.tool_result',
  payload: {
    ...team.toStepRef({ path, step }),
    call: call.position,
    toolId: call.toolId ?? call.name,
    status: isUnknown ? 'unknown' : 'done',
    isError,
    text: text.slice(0, maxInEvent).toWellFormed(),
  },
});
