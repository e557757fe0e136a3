import type { CreditLimit } from '@lensforge/credits';
import type { OwnAiLenser } from '@lensforge/identity';
import { type Funding, type HoldTerms, reserveForStep } from '@lensforge/runs';
import { Stopped } from '../engine/attempt.js';
import { failed } from '../nodes/node-type.js';
import { AgentFailure, finalFailure } from './agent-failure.js';
import type { AgentTeam } from './agent-team.js';

export interface StepCredits {
  path: string;
  step: number;
  /** The agent of the step and those that have called it; none for a judge. */
  chain: readonly OwnAiLenser[];
  funding: Funding;
  terms: HoldTerms;
}

/** Holds the credits of a step; returns their amount. */
export async function holdForStep(
  team: AgentTeam,
  { path, step, chain, funding: { hold: amount, payerAccountId, limits }, terms }: StepCredits,
): Promise<number> {
  if (amount === 0) return 0;
  const { node, settings } = team.work;
  const maxCredits = settings.maxCredits ?? null;
  const agentId = chain.at(-1)?.id ?? null;
  const order = {
    path,
    step,
    agentId,
    amount,
    payerAccountId,
    limits: [...limits, ...listDailyCaps(team, chain)],
    maxCredits,
    terms,
  };
  const reservation = await team.write((ctx) => reserveForStep(ctx, node, order));
  switch (reservation.kind) {
    case 'reserved':
      team.hasHolds = true;
      return reservation.amount;
    case 'lost':
      throw new Stopped('lost');
    case 'over_limit':
      throw finalFailure('LIMIT_REACHED', `The next step may cost ${amount} credits, and maxCredits allows fewer`);
    case 'over_budget': {
      const message = `The next step may cost ${amount} credits, and the budget of the run has fewer left`;
      throw new AgentFailure(failed('BUDGET_EXCEEDED', message, { endsRun: true }));
    }
    case 'insufficient':
      throw finalFailure('INSUFFICIENT_CREDITS', reservation.message);
  }
}

/** The daily caps of agents, apart from the one that the credential of the run counts. */
function listDailyCaps({ owner }: AgentTeam, chain: readonly OwnAiLenser[]): CreditLimit[] {
  const counted = new Set([owner.actor.credential.creditLimit?.id]);
  return chain.flatMap(({ id, policy: { creditsPerDay: credits } }) => {
    if (credits === null || counted.has(id)) return [];
    counted.add(id);
    return [{ id, credits, period: 'day', of: 'agent' }];
  });
}
