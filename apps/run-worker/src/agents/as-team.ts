import type { AgentLimits } from '@lensforge/workflows';
import type { NodeOutcome, NodeWork } from '../nodes/node-type.js';
import { AgentFailure, asAgentFailure } from './agent-failure.js';
import { AgentTeam } from './agent-team.js';

type TeamOutcome = { kind: 'succeeded'; output: unknown } | { kind: 'waiting'; dueMs: number };

/** Executes the agents of a node. Their steps have counted their usage already. */
export async function asTeam(
  work: NodeWork<AgentLimits>,
  input: unknown,
  perform: (team: AgentTeam) => Promise<TeamOutcome>,
): Promise<NodeOutcome> {
  const team = await AgentTeam.open(work);
  try {
    const outcome = await perform(team);
    if (outcome.kind === 'waiting') return { ...outcome, input, announce: team.hasNewWait };
    return { ...outcome, input, reserved: team.hasHolds };
  } catch (reason) {
    const failure = asAgentFailure(team.toStopReason(reason));
    if (!(failure instanceof AgentFailure)) throw failure;
    work.signal.throwIfAborted();
    return { ...failure.outcome, input, reserved: team.hasHolds };
  }
}
