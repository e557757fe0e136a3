import { type Context, asBadInput, badInput, newId } from '@lensforge/core';
import { inTransaction, storedAuthority, toJsonb } from '@lensforge/database';
import { type WorkflowHead, writableWorkflow } from './access.js';
import { checkCron, tickAfter } from './cron.js';
import { validateInputs } from './runnable-workflow.js';
import { readableSchedule } from './schedule-access.js';
import { type MissedPolicy, type OverlapPolicy, Schedule } from './schedule.entity.js';
import type { ScheduleDetail } from './shapes.js';
import { readVersion } from './version-reads.js';

export interface NewSchedule {
  workflowId: string;
  /** The cron pattern when absent. */
  title?: string | undefined;
  cron: string;
  /** UTC when absent. */
  timeZone?: string | undefined;
  inputs?: Record<string, unknown> | undefined;
  overlap?: OverlapPolicy | undefined;
  missed?: MissedPolicy | undefined;
  enabled?: boolean | undefined;
}

export const maxSchedules = 100;
export const pausedByOwner = 'its owner paused it';

/** Creates a schedule for a workflow of the caller. */
export async function createSchedule(ctx: Context, order: NewSchedule): Promise<ScheduleDetail> {
  const schedule = readSchedule(order);
  await requireValidInputs(ctx, await writableWorkflow(ctx, order.workflowId), schedule.inputs);
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, order.workflowId);
    const count = await ctx.db.countBy(Schedule, { workflowId: workflow.id });
    if (count >= maxSchedules) {
      throw badInput('', `A workflow has at most ${maxSchedules} schedules: remove one first`);
    }
    const id = await insertSchedule(ctx, workflow.id, schedule, {
      accountId: workflow.accountId,
      pausedReason: (order.enabled ?? true) ? null : pausedByOwner,
    });
    return readableSchedule(ctx, id);
  });
}

/** Refuses inputs that would fail on each tick. Call it outside of a transaction, as a slow check must hold no connection. */
export async function requireValidInputs(
  ctx: Context,
  workflow: WorkflowHead,
  inputs: Record<string, unknown>,
): Promise<void> {
  const { graph } = await readVersion(ctx.db, workflow);
  try {
    await validateInputs(ctx, graph, inputs);
  } catch (reason) {
    throw asBadInput(reason);
  }
}

type ReadSchedule = Required<Omit<NewSchedule, 'workflowId' | 'enabled'>> & {
  title: string;
  timeZone: string;
  inputs: Record<string, unknown>;
  overlap: OverlapPolicy;
  missed: MissedPolicy;
};

/** Checks the pattern and fills in defaults. */
export function readSchedule({
  title,
  cron,
  timeZone = 'UTC',
  inputs = {},
  overlap = 'skip',
  missed = 'skip',
}: Omit<NewSchedule, 'workflowId' | 'enabled'>): ReadSchedule {
  checkCron({ cron, timeZone });
  return { title: title ?? cron, cron, timeZone, inputs, overlap, missed };
}

/** Inserts a schedule in a transaction; the caller has checked access to the workflow. */
export async function insertSchedule(
  ctx: Context,
  workflowId: string,
  schedule: ReadSchedule,
  { accountId = ctx.actor.accountId, pausedReason }: { accountId?: string; pausedReason: string | null },
): Promise<string> {
  const id = newId();
  const now = await databaseTime(ctx);
  const nextAt = pausedReason === null ? tickAfter(schedule, now) : null;
  const { authority, creatorId } = await storedAuthority(ctx);
  await ctx.db.query(
    `insert into schedules (id, workflow_id, account_id, title, cron, time_zone, inputs, overlap, missed, enabled,
                            paused_reason, next_at, created_at, updated_at, authority, creator_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, $15)`,
    [
      id,
      workflowId,
      accountId,
      schedule.title,
      schedule.cron,
      schedule.timeZone,
      toJsonb(schedule.inputs),
      schedule.overlap,
      schedule.missed,
      pausedReason === null,
      pausedReason,
      nextAt,
      now,
      authority,
      creatorId,
    ],
  );
  return id;
}

/** The time of the database, which decides when schedules tick. */
export async function databaseTime({ db }: Pick<Context, 'db'>): Promise<Date> {
  const [{ now }] = await db.query<[{ now: Date }]>('select clock_timestamp() as now');
  return now;
}
