import { type Context, DomainError, isServiceRole, notFound } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';

/** The relation of the caller to a battle. A creator who takes part is both. */
export interface Viewer {
  accountId: string;
  isCreator: boolean;
  /** True for contenders and owners of AI contenders. */
  takesPart: boolean;
}

export interface ReadableBattle {
  battle: StoredBattle;
  contenders: StoredContender[];
  viewer: Viewer;
}

/**
 * A battle with its contenders by slot, for callers who may see it: its creator and participants always, others once it
 * is published, and by id while voting. NOT_FOUND otherwise.
 */
export async function readableBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const found = await findBattle(ctx, battleId);
  if (!canSee(found)) throw notFound('battle', battleId);
  return found;
}

/** A battle of the caller, locked until the transaction ends: FORBIDDEN to others who see it. */
export async function writableBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const found = await lockedBattle(ctx, battleId);
  if (found.viewer.isCreator) return found;
  throw new DomainError('FORBIDDEN', `Only the creator of the battle ${battleId} can do this`);
}

/** A battle that the caller may see, locked until the transaction ends. */
export async function lockedBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  await lockBattle(ctx, battleId);
  return readableBattle(ctx, battleId);
}

const lockStatement = preparedStatement('select 1 from battles where id = $1 for no key update');

/** Locks a battle until the transaction ends; false when there is none. */
export async function lockBattle({ db }: Context, battleId: string): Promise<boolean> {
  const rows = await db.query<unknown[]>(lockStatement, [battleId]);
  return rows.length > 0;
}

/** A battle that the caller may see or that is open to contenders. */
export async function enterableBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const found = await findBattle(ctx, battleId);
  if (!canSee(found) && found.battle.status !== 'open') throw notFound('battle', battleId);
  return found;
}

/** True for those who may know who takes part before the battle is closed. */
export const isInvolved = ({ isCreator, takesPart }: Viewer): boolean => isCreator || takesPart;

const canSee = ({ battle: { status }, viewer }: ReadableBattle): boolean =>
  isInvolved(viewer) || status === 'published' || status === 'voting';

async function findBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const battle = await battleById(ctx, battleId);
  if (!battle) throw notFound('battle', battleId);
  const contenders = await listContenders(ctx, battleId);
  return { battle, contenders, viewer: identifyViewer(ctx, battle, contenders) };
}

const battleStatement = preparedStatement(`
select id, creator_account_id as "creatorAccountId", title, task_prompt as "taskPrompt", battle_type as "battleType",
       judging_mode as "judgingMode", max_contenders as "maxContenders", ai_judge_model_key as "aiJudgeModelKey", rubric, checks,
       budget_credits as "budgetCredits", funding_source as "fundingSource", byok_key_id as "byokKeyId", status,
       blind_key as "blindKey", judging_run_id as "judgingRunId", judging_total as "judgingTotal",
       winner_contender_id as "winnerContenderId", vote_count as "voteCount", votes_counted_at as "votesCountedAt",
       last_sequence as "lastSequence", created_at as "createdAt", closed_at as "closedAt", published_at as "publishedAt"
  from battles where id = any($1::uuid[])`);

const contendersStatement = preparedStatement(`
select id, battle_id as "battleId", slot_label as "slotLabel", display_name as "displayName", contender_type as "contenderType",
       lenser_account_id as "lenserAccountId", owner_account_id as "ownerAccountId", entered_by as "enteredBy", lens_id as "lensId",
       workflow_id as "workflowId", answer_run_id as "answerRunId", answer_error as "answerError", judge_score as "judgeScore",
       vote_count as "voteCount", vote_score as "voteScore", rank, created_at as "createdAt"
  from battle_contenders where battle_id = any($1::uuid[]) order by slot_label`);

/** Battles by their ids, for the platform: it checks no access. */
export const battlesById = ({ db }: Context, battleIds: readonly string[]): Promise<StoredBattle[]> =>
  db.query<StoredBattle[]>(battleStatement, [battleIds]);

export async function battleById(ctx: Context, battleId: string): Promise<StoredBattle | undefined> {
  const [battle] = await battlesById(ctx, [battleId]);
  return battle;
}

/** The contenders of battles by slot, for the platform. */
export const contendersIn = ({ db }: Context, battleIds: readonly string[]): Promise<StoredContender[]> =>
  db.query<StoredContender[]>(contendersStatement, [battleIds]);

export const listContenders = (ctx: Context, battleId: string): Promise<StoredContender[]> =>
  contendersIn(ctx, [battleId]);

export function identifyViewer(ctx: Context, battle: StoredBattle, contenders: readonly StoredContender[]): Viewer {
  const { accountId } = ctx.actor;
  return {
    accountId,
    isCreator: isServiceRole(ctx) || battle.creatorAccountId === accountId,
    takesPart: contenders.some((each) => isAuthor(each, accountId)),
  };
}

/** True for the person or AI lenser that is the contender, and for the owner of the AI lenser. */
export const isAuthor = (contender: StoredContender, accountId: string): boolean =>
  contender.ownerAccountId === accountId || contender.lenserAccountId === accountId;
