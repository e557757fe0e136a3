import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Context, newId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { type CountRun, startScheduledRuns } from '@lensforge/runs';
import { aContext } from '@lensforge/testing';
import {
  type NewSchedule,
  type ScheduleDetail,
  createSchedule,
  deleteWorkflow,
  dueTicks,
  listScheduleTicks,
  previewSchedule,
  readableSchedule,
  ticksAfter,
  updateSchedule,
} from '@lensforge/workflows';
import { aWorkflow, setNextTick } from '@lensforge/workflows/testing';
import { Schedules } from '../src/maintenance/schedules.js';

const minute = 60_000;
const unlimited: CountRun = () => Promise.resolve(undefined);
/** So rare that no tick comes during a test. */
const yearly = '0 0 1 1 *';
const everyMinute = { cron: '* * * * *', timeZone: 'UTC' };

describe('ticksAfter and dueTicks', () => {
  it.each([
    [
      'move a time within the gap of spring to the end of the gap',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'yield a time that autumn repeats once',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'yield each time of a list once',
      '30 2,14 * * *',
      'Europe/Berlin',
      '2026-10-24T20:00Z',
      ['2026-10-25T00:30', '2026-10-25T13:30', '2026-10-26T01:30'],
    ],
    [
      'handle the gap in New York',
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T12:00Z',
      ['2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    [
      'handle the repeated hour in New York',
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T12:00Z',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'handle a gap of half an hour',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T00:00Z',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'handle a repeated half hour',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-03T12:00Z',
      ['2026-04-03T14:45', '2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'yield every half hour through a repeated hour',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:45Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    [
      'yield every half hour through a gap',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:15Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    [
      'handle a gap at midnight',
      '0 0 * * *',
      'Africa/Cairo',
      '2026-04-23T12:00Z',
      ['2026-04-23T22:00', '2026-04-24T21:00'],
    ],
    ['handle a leap day', '0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ] as [string, string, string, string, string[]][])('%s', (_, cron, timeZone, after, expected) => {
    const ticks = ticksAfter({ cron, timeZone }, new Date(after));
    expect(expected.map(() => ticks.next().value?.toISOString().slice(0, 16))).toEqual(expected);
  });

  it('separate missed ticks from fresh ones', () => {
    const at = (text: string): Date => new Date(`2026-11-21T${text}Z`);
    expect(dueTicks(everyMinute, at('10:00:00'), at('10:00:01'))).toEqual({
      late: [],
      fresh: [at('10:00:00')],
      next: at('10:01:00'),
    });
    expect(dueTicks(everyMinute, at('10:00:00'), at('10:03:30'))).toEqual({
      late: [at('10:00:00'), at('10:01:00'), at('10:02:00')],
      fresh: [at('10:03:00')],
      next: at('10:04:00'),
    });
    const long = dueTicks(everyMinute, new Date('2026-10-21T10:00:00Z'), at('10:00:30'));
    expect([long.late.length, long.fresh, long.next]).toEqual([179, [at('10:00:00')], at('10:01:00')]);
  });
});

describe('a schedule', () => {
  let ctx: Context;
  let platform: Context;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    const { source } = database;
    const accountId = newId();
    await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
      accountId,
      `a-${accountId}`,
    ]);
    ctx = aContext(source.manager, { accountId });
    platform = { ...ctx, actor: platformActor };
  });
  afterAll(() => database.close());

  const aSchedule = async (options: Partial<NewSchedule> = {}): Promise<ScheduleDetail> => {
    const { id: workflowId } = await aWorkflow(ctx);
    return createSchedule(ctx, { workflowId, cron: yearly, ...options });
  };
  /** Moves the next tick of a schedule some minutes into the past. */
  const passed = async ({ id }: ScheduleDetail, minutes: number): Promise<Date> => {
    const [{ now }] = await ctx.db.query<[{ now: Date }]>('select now() as now');
    const at = new Date(now.getTime() - minutes * minute);
    await setNextTick(ctx, id, at);
    return at;
  };
  /** Runs rounds in parallel, like several workers, until nothing is due. */
  const rounds = async (replicas = 3, countRun: CountRun = unlimited): Promise<void> => {
    const round = async (): Promise<void> => {
      while (await startScheduledRuns(platform, { timeoutMs: 600_000, countRun }));
    };
    await Promise.all(Array.from({ length: replicas }, round));
  };
  const historyOf = async ({ id: scheduleId }: ScheduleDetail) =>
    (await listScheduleTicks(ctx, { scheduleId, limit: 100 })).items;
  const outcomesOf = async (schedule: ScheduleDetail): Promise<string[]> =>
    (await historyOf(schedule)).map(({ outcome }) => outcome).reverse();
  const runsOf = ({ workflowId }: ScheduleDetail) =>
    ctx.db.query<{ id: string; accountId: string; cause: Record<string, unknown>; params: unknown }[]>(
      'select id, account_id as "accountId", cause, params from runs where workflow_id = $1 order by id',
      [workflowId],
    );
  const endRuns = ({ workflowId }: ScheduleDetail) =>
    ctx.db.query(
      `update runs set status = 'canceled', completed_at = now() where workflow_id = $1 and status = 'queued'`,
      [workflowId],
    );

  it('starts one run for a tick with any number of workers, as its owner and with its inputs', async () => {
    const schedule = await aSchedule({ inputs: { topic: 'news' } });
    const tick = await passed(schedule, 0);
    await rounds(8);
    const runs = await runsOf(schedule);
    expect(runs).toEqual([
      {
        id: expect.any(String),
        accountId: ctx.actor.accountId,
        cause: { kind: 'schedule', scheduleId: schedule.id, tickAt: tick.toISOString(), isDeferred: true },
        params: { topic: 'news' },
      },
    ]);
    expect(await historyOf(schedule)).toEqual([
      {
        tickAt: tick.toISOString(),
        outcome: 'started',
        reason: null,
        runId: runs[0]?.id,
        decidedAt: expect.any(String),
      },
    ]);
    const { nextAt } = await readableSchedule(ctx, schedule.id);
    expect(new Date(String(nextAt)).getTime()).toBeGreaterThan(tick.getTime());
    // A clock that is set back reaches the same tick again.
    await setNextTick(ctx, schedule.id, tick);
    await rounds();
    expect(await runsOf(schedule)).toHaveLength(1);
  });

  it('skips, queues or allows a tick while an earlier run has not ended', async () => {
    for (const [overlap, second, third] of [
      ['skip', 'skipped', 'skipped'],
      ['queue', 'waiting', 'waiting'],
      ['allow', 'started', 'started'],
    ] as const) {
      const schedule = await aSchedule({ overlap });
      await passed(schedule, 0);
      await rounds();
      for (let again = 0; again < 2; again += 1) {
        await ctx.db.query(`update schedule_ticks set tick_at = tick_at - interval '1 hour' where schedule_id = $1`, [
          schedule.id,
        ]);
        await passed(schedule, 0);
        await rounds();
      }
      expect([overlap, await outcomesOf(schedule)]).toEqual([overlap, ['started', second, third]]);
      if (overlap !== 'queue') continue;
      await endRuns(schedule);
      await rounds();
      expect(await outcomesOf(schedule)).toEqual(['started', 'started', 'waiting']);
      await updateSchedule(ctx, { scheduleId: schedule.id, enabled: false });
      await rounds();
      expect(await outcomesOf(schedule)).toEqual(['started', 'started', 'skipped']);
    }
  });

  it('starts no waiting tick beside a run that another worker started while its schedule was being locked', async () => {
    const schedule = await aSchedule({ overlap: 'queue' });
    await passed(schedule, 0);
    await rounds();
    await ctx.db.query(`update schedule_ticks set tick_at = tick_at - interval '1 hour' where schedule_id = $1`, [
      schedule.id,
    ]);
    await passed(schedule, 0);
    await rounds();
    expect(await outcomesOf(schedule)).toEqual(['started', 'waiting']);
    const other = await aSchedule();
    await passed(other, 0);
    await rounds();
    const [open] = await runsOf(other);
    await endRuns(schedule);
    const managers = Object.getPrototypeOf(ctx.db) as Context['db'];
    const query = managers.query;
    const queries = jest.spyOn(managers, 'query').mockImplementation(async function (this: Context['db'], ...given) {
      const found = await query.apply(this, given);
      if (!/outcome = 'waiting'[^]*skip locked/.test(given[0])) return found;
      queries.mockRestore();
      await ctx.db.query(`update schedule_ticks set run_id = $2 where schedule_id = $1 and outcome = 'started'`, [
        schedule.id,
        open?.id,
      ]);
      return found;
    });
    await rounds(1);
    expect(await outcomesOf(schedule)).toEqual(['started', 'waiting']);
    await endRuns(other);
    await rounds();
    expect(await outcomesOf(schedule)).toEqual(['started', 'started']);
  });

  describe('of an account that has used up its rate class', () => {
    const usedUp: CountRun = () => Promise.resolve({ limit: 60, retryAfter: 30 });
    const nextWindow = (schedule: ScheduleDetail) =>
      ctx.db.query('update schedule_ticks set retry_at = now() where schedule_id = $1 and retry_at is not null', [
        schedule.id,
      ]);

    it('lets its tick wait, and starts it once in the next window', async () => {
      const schedule = await aSchedule();
      const tick = await passed(schedule, 0);
      await rounds(3, usedUp);
      expect(await historyOf(schedule)).toEqual([
        expect.objectContaining({
          tickAt: tick.toISOString(),
          outcome: 'waiting',
          runId: null,
          reason: expect.stringContaining('60 workflow runs a minute'),
        }),
      ]);
      await rounds();
      expect(await outcomesOf(schedule)).toEqual(['waiting']);
      await nextWindow(schedule);
      const counted: string[] = [];
      const countRun: CountRun = async (accountId, rate) => void counted.push(`${accountId} ${rate}`);
      await rounds(8, countRun);
      expect(counted).toEqual([`${ctx.actor.accountId} run`]);
      expect(await outcomesOf(schedule)).toEqual(['started']);
      expect(await runsOf(schedule)).toHaveLength(1);
    });

    it('misses the tick when the next window is used up too, unless missed is run_once', async () => {
      const [skipping, catching] = [await aSchedule({ missed: 'skip' }), await aSchedule({ missed: 'run_once' })];
      for (const schedule of [skipping, catching]) await passed(schedule, 0);
      for (let windows = 0; windows < 3; windows += 1) {
        await rounds(3, usedUp);
        for (const schedule of [skipping, catching]) await nextWindow(schedule);
      }
      expect([await outcomesOf(skipping), await outcomesOf(catching)]).toEqual([['missed'], ['waiting']]);
      await rounds();
      expect([await outcomesOf(skipping), await outcomesOf(catching)]).toEqual([['missed'], ['started']]);
    });

    it('lets later ticks wait behind the first or skips them, by its overlap policy', async () => {
      for (const [overlap, second] of [
        ['skip', 'skipped'],
        ['queue', 'waiting'],
        ['allow', 'waiting'],
      ] as const) {
        const schedule = await aSchedule({ overlap });
        await passed(schedule, 0);
        await rounds(3, usedUp);
        await ctx.db.query(`update schedule_ticks set tick_at = tick_at - interval '1 hour' where schedule_id = $1`, [
          schedule.id,
        ]);
        await passed(schedule, 0);
        await rounds(3, usedUp);
        expect([overlap, await outcomesOf(schedule)]).toEqual([overlap, ['waiting', second]]);
        await nextWindow(schedule);
        await rounds();
        const after = { skip: ['started', 'skipped'], queue: ['started', 'waiting'], allow: ['started', 'started'] };
        expect([overlap, await outcomesOf(schedule)]).toEqual([overlap, after[overlap]]);
        await endRuns(schedule);
        await rounds();
      }
    });
  });

  it('skips missed ticks, or runs the newest of them once', async () => {
    const [skipping, catching] = [await aSchedule({ missed: 'skip' }), await aSchedule({ missed: 'run_once' })];
    for (const schedule of [skipping, catching]) await passed(schedule, 10);
    await rounds();
    expect([await outcomesOf(skipping), await outcomesOf(catching)]).toEqual([['missed'], ['started']]);
    expect(await historyOf(skipping)).toMatchObject([{ reason: 'missed: no scheduler was running' }]);
    expect([await runsOf(skipping), await runsOf(catching)].map(({ length }) => length)).toEqual([0, 1]);
  });

  it('has no ticks while it is paused, and starts again when it is resumed', async () => {
    const schedule = await aSchedule({ enabled: false });
    expect(schedule).toMatchObject({ enabled: false, pausedReason: 'its owner paused it', nextAt: null });
    await rounds();
    expect(await historyOf(schedule)).toEqual([]);
    expect((await previewSchedule(ctx, schedule.id)).at).toHaveLength(20);
    const resumed = await updateSchedule(ctx, { scheduleId: schedule.id, enabled: true });
    expect(resumed).toMatchObject({ enabled: true, pausedReason: null, nextAt: expect.any(String) });
  });

  it('pauses with a reason when its workflow is deleted, or its owner disabled', async () => {
    const orphan = await aSchedule();
    await deleteWorkflow(ctx, orphan.workflowId);
    const reasonOf = async ({ id }: ScheduleDetail): Promise<unknown> =>
      (await ctx.db.query<unknown[]>('select enabled, paused_reason, next_at from schedules where id = $1', [id]))[0];
    expect(await reasonOf(orphan)).toEqual({
      enabled: false,
      paused_reason: 'its workflow was deleted',
      next_at: null,
    });
    const schedule = await aSchedule();
    await passed(schedule, 0);
    await ctx.db.query('update accounts set disabled_at = now() where id = $1', [ctx.actor.accountId]);
    await rounds();
    await ctx.db.query('update accounts set disabled_at = null where id = $1', [ctx.actor.accountId]);
    expect(await reasonOf(schedule)).toEqual({ enabled: false, paused_reason: 'its owner is disabled', next_at: null });
    expect(await runsOf(schedule)).toEqual([]);
  });

  it('stores why a tick failed, and continues', async () => {
    const graph = { nodes: [], inputs: { type: 'object', required: ['topic'] } };
    const { id: workflowId } = await aWorkflow(ctx, { graph });
    const schedule = await createSchedule(ctx, { workflowId, cron: yearly, inputs: { topic: 'x' } });
    await ctx.db.query(`update schedules set inputs = '{}' where id = $1`, [schedule.id]);
    await passed(schedule, 0);
    await rounds();
    expect(await historyOf(schedule)).toEqual([
      expect.objectContaining({ outcome: 'failed', reason: expect.stringContaining('inputs.topic is required') }),
    ]);
    expect(await readableSchedule(ctx, schedule.id)).toMatchObject({ enabled: true, nextAt: expect.any(String) });
  });

  it('that fails does not block the others', async () => {
    const [broken, good] = [await aSchedule(), await aSchedule()];
    await passed(broken, 1);
    await passed(good, 0);
    await ctx.db.query(`update schedules set cron = 'nonsense' where id = $1`, [broken.id]);
    const faults: unknown[] = [];
    const logger = { error: (fault: unknown) => faults.push(fault) };
    const settings = { timeoutMs: 1000, countRun: unlimited };
    const schedules = new Schedules({ logger, now: () => new Date() } as never, settings);
    while (await schedules.round(platform));
    expect(await outcomesOf(good)).toEqual(['started']);
    expect(faults).toEqual([expect.objectContaining({ scheduleId: broken.id })]);
    await ctx.db.query('delete from schedules where id = $1', [broken.id]);
  });
});
