import { type PairJudgement, pairVerdicts } from '@lensforge/battles';
import {
  type AskJudge,
  type TextFeatures,
  compareOffline,
  extractFeatures,
  judgePair,
  maxAnswerTokens,
} from '@lensforge/judges';
import { priceUsage } from '@lensforge/models';
import { toHoldTerms } from '@lensforge/runs';
import { estimateInput, estimateMaxInput, requestModel } from '../engine/request-model.js';
import { RunFailure } from '../engine/run-failure.js';
import { asAgentFailure, finalFailure } from './agent-failure.js';
import type { AgentModel } from './agent-model.js';
import type { AgentTeam } from './agent-team.js';
import { holdForStep } from './step-credits.js';
import { toStepUsage } from './tool-events.js';

type Choice = Exclude<PairJudgement['choice'], 'abstained'>;

/** The texts of agents by name, without any order of merit. */
export type Answers = ReadonlyMap<string, string>;

type Compare = (first: string, second: string, path: string) => Promise<Pick<PairJudgement, 'choice' | 'reasoning'>>;

/** Compares all answers in pairs, each pair in both orders as in battles; returns the share of wins of each one. */
export async function scoreAnswers(answers: Answers, compare: Compare): Promise<Map<string, number>> {
  const names = [...answers.keys()];
  const pairs = names.flatMap((first) =>
    names.filter((second) => second !== first).map((second) => [first, second] as const),
  );
  const ends = await Promise.allSettled(
    pairs.map(async ([first, second], index): Promise<PairJudgement> => {
      const found = await compare(answers.get(first) ?? '', answers.get(second) ?? '', `judge${index + 1}`);
      return { first, second, ...found };
    }),
  );
  const judgements = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  return new Map(pairVerdicts(names, judgements).map(({ contenderId, score }) => [contenderId, score]));
}

/** The offline judge of battles; each text is measured once. */
export function compareByFeatures(team: AgentTeam, task: string): Compare {
  const limits = { account: team.owner.actor.accountId, ignoreQueueLimit: true };
  const measured = new Map<string, Promise<TextFeatures>>();
  const measure = (text: string): Promise<TextFeatures> => {
    const known = measured.get(text) ?? extractFeatures(task, text, limits);
    measured.set(text, known);
    return known;
  };
  return async (first, second) => compareOffline(await measure(first), await measure(second));
}

/** A model as the judge of battles: it sees the task and two texts, and no names. */
export const compareByModel =
  (team: AgentTeam, task: string, chosen: AgentModel): Compare =>
  async (first, second, path) => {
    const judged = await judgePair(askThrough(team, path, chosen), {
      key: team.toFenceSeed(path),
      task,
      first,
      second,
    });
    const { outcome, reasoning } = judged;
    return { choice: outcome === 'unpaid' ? 'abstained' : (outcome satisfies Choice | 'abstained'), reasoning };
  };

/** Requests of a judge are steps of the node: stored, paid and counted like those of its agents. */
function askThrough(team: AgentTeam, path: string, chosen: AgentModel): AskJudge {
  const { parts, run, beforeEffect } = team.work;
  const { model } = chosen;
  let step = 0;
  return async ({ prompt, schema: outputSchema, idempotencyKey }) => {
    step += 1;
    const stored = team.getSteps(path).find((each) => each.step === step);
    if (stored) return { text: stored.text, ...nothingUsed };
    team.requireTime();
    const input = estimateInput([prompt]);
    if (input > team.tokensLeft) throw finalFailure('LIMIT_REACHED', 'The node has too few tokens left for its judge');
    const funding = chosen.fundingFor({ input: await estimateMaxInput([prompt]), output: maxAnswerTokens });
    const terms = toHoldTerms(model, input);
    const reserved = await holdForStep(team, { path, step, chain: [], funding, terms });
    try {
      const byok = await parts.keys.openFor({ accountId: run.accountId, byokKeyId: funding.byokKeyId });
      const sampling = {
        maxOutputTokens: maxAnswerTokens,
        ...(model.capabilities.includes('sampling') && { temperature: 0 }),
      };
      const request = {
        prompt,
        outputSchema,
        unchecked: true,
        sampling,
        byok,
        allowedModels: [],
        idempotencyKey,
        cause: run.cause,
      };
      const options = { signal: team.signal, beforeCall: beforeEffect };
      const { text, usage } = await requestModel(parts, { ...request, modelId: model.id }, options);
      const used = priceUsage(model, usage, { isFree: reserved === 0 });
      await team.store({
        path,
        step,
        agentId: null,
        text,
        ...used,
        hold: reserved,
        maxCredits: team.work.settings.maxCredits ?? null,
        reduced: 0,
        calls: [],
        events: [
          {
            type: 'agent.step',
            payload: {
              ...team.toStepRef({ path, step }),
              agent: 'judge',
              text,
              toolCalls: 0,
              ...toStepUsage(used),
            },
          },
        ],
      });
      return { text, usage, ...used };
    } catch (reason) {
      if (reason instanceof RunFailure && reason.code === 'PROVIDER_FILTERED') {
        return { refusal: reason.message, ...nothingUsed };
      }
      throw asAgentFailure(team.toStopReason(reason));
    }
  };
}

const nothingUsed = { usage: { input: 0, output: 0 }, cost: 0 };
