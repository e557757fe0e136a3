import { modelOfAgent } from '@lensforge/agents';
import { isReplayed } from '@lensforge/contracts';
import { withDbRetry } from '@lensforge/database';
import type { OwnAiLenser } from '@lensforge/identity';
import { type ChosenModel, chooseModel, computeMaxCost, modelById } from '@lensforge/models';
import { type Funding, byokKeyChoice, decideFunding, restrictModels } from '@lensforge/runs';
import type { AgentTeam } from './agent-team.js';

export interface AgentModel {
  model: ChosenModel;
  /** The payer and the hold for a request of at most these tokens. */
  fundingFor(tokens: { input: number; output: number }): Funding;
}

/** The model of the run, of the node, or else of the AI lenser, and what pays for it. */
export async function modelFor(
  { owner, work: { run } }: AgentTeam,
  agent: OwnAiLenser | undefined,
  { model: named, needsTools }: { model: string | undefined; needsTools: boolean },
): Promise<AgentModel> {
  const ofRun = { fundingSource: run.fundingSource ?? undefined, byokKeyRefId: run.byokKeyId ?? undefined };
  const own =
    run.modelId !== null || named !== undefined || !agent
      ? { modelOverride: named }
      : await withDbRetry(() => modelOfAgent(owner, agent));
  const wish = { ...ofRun, ...own };
  const key = await withDbRetry(() => byokKeyChoice(owner, wish));
  const { modelId } = run;
  const ofWholeRun = modelId === null ? undefined : await withDbRetry(() => modelById(owner.db, modelId, wish));
  const replayed = isReplayed(run.cause);
  const needs = needsTools && { needs: ['tools' as const] };
  const criteria = { ...wish, ...restrictModels(key, wish), ...needs, isReplayed: replayed };
  const model = ofWholeRun ?? (await withDbRetry(() => chooseModel(owner.db, criteria)));
  return {
    model,
    fundingFor: ({ input, output }) => {
      const costs = [model, ...model.alternatives].map((each) =>
        computeMaxCost(each, { input, output: Math.min(output, each.maxOutputTokens) }),
      );
      const estimate = Math.max(...costs);
      return decideFunding(owner, { request: wish, key, sponsor: undefined, model, estimate, isReplayed: replayed });
    },
  };
}
