import { type BattleStatusReply, battleChannel } from '@lensforge/contracts';
import { type Context, DomainError, batchCalls, groupBy } from '@lensforge/core';
import { inTransaction, perDatabase, preparedStatement, recordRunChanges, toJsonb } from '@lensforge/database';
import { acceptFreeJudgingRuns } from '@lensforge/runs';
import type { EntityManager } from 'typeorm';
import { battlesById, contendersIn, identifyViewer } from '../access.js';
import { asCreator } from '../as-creator.js';
import type { StoredBattle } from '../battle.entity.js';
import { findWarnings } from '../battle-warnings.js';
import type { StoredContender } from '../contender.entity.js';
import { hasModelJudge } from '../judge-family.js';
import { updateVoteCounts } from '../votes/count-votes.js';
import { countJudgements } from './judging-settings.js';
import { judgingOrder } from './start-judging.js';

interface Move {
  /** The context of the caller. */
  ctx: Context;
  battleId: string;
}

/** Undefined for a move that needs a transaction of its own. */
type Outcome = BattleStatusReply | DomainError | undefined;

/** Concurrent moves share a transaction; else each would have a commit and some twenty statements. */
const sharedMoves = perDatabase((db) =>
  batchCalls((moves: Move[]) => moveTogether(db, moves), { maxSize: 50, concurrency: 2 }),
);

/**
 * Moves a battle of the caller from voting to scoring and starts its judging without a model. Undefined for any other battle
 * or caller, and within a transaction: nothing is written then.
 */
export async function startFreeJudging(ctx: Context, battleId: string): Promise<BattleStatusReply | undefined> {
  if (ctx.db.queryRunner) return undefined;
  const outcome = await sharedMoves.of(ctx)({ ctx, battleId: battleId.toLowerCase() });
  if (outcome instanceof DomainError) throw outcome;
  return outcome;
}

async function moveTogether(db: EntityManager, moves: readonly Move[]): Promise<Outcome[]> {
  const [{ ctx: first }] = moves as [Move];
  try {
    const outcomes = await inTransaction({ ...first, db }, (ctx) => moveAll(ctx, moves));
    return moves.map((move) => outcomes.get(move));
  } catch (reason) {
    if (moves.length === 1) throw reason;
    return moves.map(() => undefined);
  }
}

/** A move that needs nothing but a free run. */
interface PlainMove {
  move: Move;
  battle: StoredBattle;
  contenders: StoredContender[];
  submitted: ReadonlySet<string>;
  /** The number of judgements. */
  total: number;
}

async function moveAll(ctx: Context, moves: readonly Move[]): Promise<Map<Move, Outcome>> {
  const outcomes = new Map<Move, Outcome>();
  const plain = await readPlainMoves(ctx, moves);
  const accepted = await acceptFreeJudgingRuns(
    ctx,
    plain.map(({ move, battle, total }) => ({
      owner: asCreator(move.ctx, battle),
      order: judgingOrder(battle.id, total),
    })),
  );
  const started: StartedJudging[] = [];
  for (const [index, { move, battle, contenders, submitted, total }] of plain.entries()) {
    const run = accepted[index];
    if (run === undefined || run instanceof DomainError) {
      outcomes.set(move, run);
      continue;
    }
    started.push({ battleId: battle.id, runId: run.runId, total });
    const { runId: judgingRunId, status: judging } = run;
    const moved: StoredBattle = { ...battle, status: 'scoring', judgingRunId };
    const warnings = await findWarnings(ctx, moved, { contenders, submitted, judging });
    outcomes.set(move, { battleId: battle.id, status: 'scoring', warnings });
  }
  if (started.length > 0) await writeMoves(ctx, started);
  return outcomes;
}

// Votes hold a key share lock, which conflicts with no weaker lock than this. A battle that is locked moves alone.
const lockStatement = preparedStatement(`
select id from battles where id = any($1::uuid[]) and status = 'voting' order by id for update skip locked`);

const submittedStatement = preparedStatement(
  'select battle_id as "battleId", contender_id as "contenderId" from battle_submissions where battle_id = any($1::uuid[])',
);

const uncountedStatement = preparedStatement(
  'select distinct battle_id as id from battle_votes where battle_id = any($1::uuid[]) and not counted',
);

/** Locks the battles of the moves and counts their votes. Moves that are not plain are absent. */
async function readPlainMoves(ctx: Context, moves: readonly Move[]): Promise<PlainMove[]> {
  const requested = [...new Set(moves.map(({ battleId }) => battleId))];
  const locked = await ctx.db.query<{ id: string }[]>(lockStatement, [requested]);
  const ids = locked.map(({ id }) => id);
  if (ids.length === 0) return [];
  const battles = new Map((await battlesById(ctx, ids)).map((battle) => [battle.id, battle]));
  const contenders = groupBy(await contendersIn(ctx, ids), ({ battleId }) => battleId);
  const submissions = groupBy(
    await ctx.db.query<{ battleId: string; contenderId: string }[]>(submittedStatement, [ids]),
    ({ battleId }) => battleId,
  );
  const plain: PlainMove[] = [];
  for (const move of moves) {
    const battle = battles.get(move.battleId);
    if (!battle || !isJudgedFree(battle)) continue;
    const own = contenders.get(battle.id) ?? [];
    const submitted = new Set((submissions.get(battle.id) ?? []).map(({ contenderId }) => contenderId));
    if (submitted.size === 0 || !identifyViewer(move.ctx, battle, own).isCreator) continue;
    battles.delete(battle.id);
    plain.push({ move, battle, contenders: own, submitted, total: countJudgements(battle, submitted.size) });
  }
  const uncounted = await ctx.db.query<{ id: string }[]>(uncountedStatement, [plain.map(({ battle }) => battle.id)]);
  for (const { id } of uncounted) await updateVoteCounts(ctx, id);
  return plain;
}

/** True for a battle that is judged by checks, or whose judge is not a model by its settings. */
const isJudgedFree = ({ judgingMode, aiJudgeModelKey }: StoredBattle): boolean =>
  judgingMode === 'auto_score' || (hasModelJudge(judgingMode) && aiJudgeModelKey === null);

interface StartedJudging {
  battleId: string;
  runId: string;
  total: number;
}

const moveStatement = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("battleId" uuid, "runId" uuid, total int)
), moved as (
  update battles b
     set status = 'scoring', judging_run_id = i."runId", judging_total = i.total, last_sequence = b.last_sequence + 1
    from input i where b.id = any (array(select "battleId" from input)) and b.id = i."battleId"
  returning b.id, b.last_sequence
), appended as (
  insert into battle_events (battle_id, sequence, type, payload, occurred_at)
  select id, last_sequence, 'status.changed', jsonb_build_object('status', 'scoring'), clock_timestamp() from moved
)
select id as "battleId", last_sequence as "lastSequence" from moved`);

async function writeMoves(ctx: Context, started: readonly StartedJudging[]): Promise<void> {
  const moved = await ctx.db.query<{ battleId: string; lastSequence: number }[]>(moveStatement, [toJsonb(started)]);
  recordRunChanges(ctx, {
    positions: moved.map(({ battleId, lastSequence }) => ({ channel: battleChannel(battleId), lastSequence })),
  });
}
