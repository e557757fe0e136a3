import type { Battle, Contender, Judging, VoteAggregate } from '@lensforge/contracts';
import { type ReadableBattle, type Viewer, isAuthor } from './access.js';
import { ballotOrder } from './ballot.js';
import { isBlind } from './battle-states.js';
import type { StoredBattle } from './battle.entity.js';
import { mayAttribute, seesContenders } from './blindness.js';
import type { StoredContender } from './contender.entity.js';
import type { StoredSubmission } from './submissions.js';

export interface BattleParts {
  submissions: readonly StoredSubmission[];
  /** True when the caller may vote now. */
  mayVote: boolean;
  judging: Judging | null;
  warnings: string[];
}

/** A battle as its viewer may see it. Nothing else decides which members a caller gets. */
export function battleView(
  { battle, contenders, viewer }: ReadableBattle,
  { submissions, mayVote, judging, warnings }: BattleParts,
): Battle {
  const isClosed = !isBlind(battle);
  const submissionOf = new Map(submissions.map((each) => [each.contenderId, each]));
  const getSubmittedText = (id: string): string => submissionOf.get(id)?.contentText ?? '';
  const entries = contenders.filter(({ id }) => submissionOf.has(id));
  const ballot = ballotOrder(battle, viewer.accountId, entries);
  const foreign = entries.filter((each) => !mayAttribute(battle, viewer, each));
  // A creator who may attribute all texts but one would know the author of that one.
  const showsBallot = mayVote && !(viewer.isCreator && foreign.length === 1);
  return {
    id: battle.id,
    title: battle.title,
    battleType: battle.battleType,
    judgingMode: battle.judgingMode,
    status: battle.status,
    maxContenders: battle.maxContenders,
    contenderCount: contenders.length,
    creatorId: battle.creatorAccountId,
    createdAt: battle.createdAt.toISOString(),
    closedAt: battle.closedAt?.toISOString() ?? null,
    taskPrompt: battle.taskPrompt,
    aiJudgeModelKey: battle.aiJudgeModelKey,
    rubric: battle.rubric,
    checks: viewer.isCreator || isClosed ? battle.checks : null,
    budgetCredits: viewer.isCreator && battle.budgetCredits !== null ? Number(battle.budgetCredits) : null,
    contenders: seesContenders(battle, viewer)
      ? contenders.map((each) => contenderView({ battle, viewer }, each, submissionOf.has(each.id)))
      : [...ballot.keys()].map((id, index) => ({ ...unknownContender, id, displayName: `Entry ${index + 1}` })),
    submissions: contenders.flatMap((each) => {
      const submission = submissionOf.get(each.id);
      if (!submission || !mayAttribute(battle, viewer, each)) return [];
      return { ...submission, contentText: getSubmittedText(each.id) };
    }),
    ballot: showsBallot
      ? [...ballot].map(([contenderId, { id }]) => ({ contenderId, contentText: getSubmittedText(id) }))
      : null,
    votes: battle.voteCount,
    voteAggregates: voteAggregates({ battle, contenders }),
    judging,
    winner: isClosed ? battle.winnerContenderId : null,
    warnings,
  };
}

const unknownContender = {
  slotLabel: null,
  contenderType: null,
  contenderRefId: null,
  lensId: null,
  workflowId: null,
  submitted: null,
  answerError: null,
  rank: null,
} as const;

/** A contender for a caller who may know who takes part. */
export function contenderView(
  { battle, viewer }: { battle: StoredBattle; viewer: Viewer },
  contender: StoredContender,
  submitted: boolean,
): Contender {
  const { id, slotLabel, displayName, contenderType, lenserAccountId: contenderRefId } = contender;
  const isClosed = !isBlind(battle);
  const isManager = viewer.isCreator || isAuthor(contender, viewer.accountId);
  // A caller who can run the lens or workflow of a contender could recognise its text.
  const { lensId, workflowId } = isClosed || isManager ? contender : unknownContender;
  return {
    id,
    slotLabel,
    displayName,
    contenderType,
    contenderRefId,
    lensId,
    workflowId,
    submitted,
    answerError: isManager ? contender.answerError : null,
    rank: isClosed ? contender.rank : null,
  };
}

/** The votes by contender; empty until the battle is closed. */
export const voteAggregates = ({
  battle,
  contenders,
}: Pick<ReadableBattle, 'battle' | 'contenders'>): VoteAggregate[] =>
  isBlind(battle)
    ? []
    : contenders.map(({ id: contenderId, voteCount, voteScore }) => ({
        contenderId,
        voteCount: voteCount ?? 0,
        voteScore: voteScore ?? 0,
      }));
