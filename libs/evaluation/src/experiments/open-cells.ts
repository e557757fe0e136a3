import type { Context } from '@lensforge/core';

const running = `select exists (select from experiment_cells where experiment_id = $1 and state = 'running')
                     or exists (select from experiment_judgements where experiment_id = $1 and state = 'running') as found`;
const judging = `select exists (select from experiment_cells where experiment_id = $1 and state = 'judging') as found`;
const waiting = `select exists (select from experiment_cells where experiment_id = $1 and state = 'waiting') as found`;

const has = async ({ db }: Context, statement: string, experimentId: string): Promise<boolean> => {
  const [{ found }] = await db.query<[{ found: boolean }]>(statement, [experimentId]);
  return found;
};

/** True while a run of a cell or of a judge is under way. */
export const hasRunningCells = (ctx: Context, experimentId: string): Promise<boolean> =>
  has(ctx, running, experimentId);

/** True while a cell waits for its judges. */
export const hasJudgedCells = (ctx: Context, experimentId: string): Promise<boolean> => has(ctx, judging, experimentId);

/** True while a cell waits for its run or its judges, or one is under way. */
export const hasOpenCells = async (ctx: Context, experimentId: string): Promise<boolean> =>
  (await has(ctx, waiting, experimentId)) || (await has(ctx, judging, experimentId)) || has(ctx, running, experimentId);
