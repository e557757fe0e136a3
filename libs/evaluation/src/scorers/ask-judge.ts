import type { FundingSource, RunCause, ScorerRule } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type JudgeQuestion, maxAnswerTokens, repairPrompt } from '@lensforge/judges';
import { type Model, chooseModel, modelNamed } from '@lensforge/models';
import { type AcceptedRun, type EndedRun, acceptEmbeddingRun, acceptPromptRun, byokKeyChoice } from '@lensforge/runs';
import type { Judgement, SimilarityQuestion } from './judge-questions.js';

type PhrasedQuestion = JudgeQuestion<string> | SimilarityQuestion;

export interface JudgeOrder {
  question: PhrasedQuestion;
  /** The fault of the first answer, after which the judge is asked once more. */
  fault: string | null;
  cause: RunCause;
  timeoutMs: number;
  idempotencyKey: string;
  maxCredits?: number | undefined;
  priority: number;
  tags?: readonly string[] | undefined;
  /** The payer of the answers. Their key is used when it is of the provider of the judge. */
  fundingSource: FundingSource | null;
  byokKeyId: string | null;
}

/** The model that judges: `offline` when outputs are judged by their features, undefined when it is not offered any more. */
export async function judgeOf({ db }: Context, { model, method }: ScorerRule): Promise<Model | 'offline' | undefined> {
  if (method === 'similarity') {
    return model === undefined ? chooseModel(db, { needs: ['embeddings'] }) : modelNamed(db, model);
  }
  if (model === undefined) return 'offline';
  const found = await modelNamed(db, model);
  return found?.providerKey === 'offline' ? 'offline' : found;
}

/** Starts the run in which a model judges. */
export async function askJudge(
  owner: Context,
  judge: Model,
  { question, fault, fundingSource, byokKeyId, tags: given = [], ...order }: JudgeOrder,
): Promise<AcceptedRun> {
  const funding = await fundingOf(owner, judge, { fundingSource, byokKeyId });
  const common = {
    ...order,
    ...funding,
    modelKey: judge.id,
    tags: [...given],
    onRepeat: 'existing' as const,
    scope: 'lenses:write' as const,
  };
  if ('texts' in question) return acceptEmbeddingRun(owner, { ...common, texts: question.texts.map(filled) });
  return acceptPromptRun(owner, {
    ...common,
    prompt: fault === null ? question.prompt : repairPrompt(question.prompt, fault),
    outputSchema: question.schema,
    sampling: { maxOutputTokens: maxAnswerTokens, ...(judge.capabilities.includes('sampling') && { temperature: 0 }) },
    hasOneModel: true,
  });
}

/** Providers refuse empty texts. */
const filled = (text: string): string => (text === '' ? ' ' : text);

async function fundingOf(
  owner: Context,
  judge: Model,
  { fundingSource, byokKeyId }: Pick<JudgeOrder, 'fundingSource' | 'byokKeyId'>,
): Promise<{ fundingSource?: FundingSource; byokKeyRefId?: string }> {
  if (fundingSource !== 'user_byok_cloud' || byokKeyId === null) return {};
  const key = await byokKeyChoice(owner, { fundingSource, byokKeyRefId: byokKeyId });
  return key?.provider === judge.providerKey ? { fundingSource, byokKeyRefId: byokKeyId } : {};
}

/** The judgement of an answer; a fault when the judge is asked once more, which happens after the first one that cannot be read. */
export function readJudgement(
  run: EndedRun,
  question: Pick<JudgeQuestion<string>, 'read'>,
  faultBefore: string | null,
): Judgement | { fault: string } {
  const read = readAnswer(run, question);
  if (!('fault' in read) || faultBefore === null) return read;
  return abstains(`two answers could not be read, and the second one ${read.fault}`);
}

function readAnswer(
  { status, output, errorCode, errorMessage }: EndedRun,
  question: Pick<JudgeQuestion<string>, 'read'>,
): Judgement | { fault: string } {
  if (status === 'succeeded') {
    const read = question.read(output ?? '');
    return 'fault' in read ? read : { outcome: read.outcome, reasoning: read.reasoning };
  }
  if (errorCode === 'OUTPUT_NOT_VALID') return { fault: 'did not have the members and values asked for' };
  return abstains(errorMessage ?? `its run has ended as ${status}`);
}

export const abstains = (reason: string): Judgement => ({ outcome: null, reasoning: `The judge abstains: ${reason}` });
