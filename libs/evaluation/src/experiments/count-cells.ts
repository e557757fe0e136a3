import type { Context } from '@lensforge/core';

const count = async ({ db }: Context, experimentId: string, states: readonly string[]): Promise<number> => {
  const [{ cells }] = await db.query<[{ cells: number }]>(
    `select (select count(*) from experiment_cells where experiment_id = $1 and state = 'running' and 'running' = any ($2))::int
          + (select count(*) from experiment_cells where experiment_id = $1 and state = 'waiting' and 'waiting' = any ($2))::int as cells`,
    [experimentId, states],
  );
  return cells;
};

export const countRunningCells = (ctx: Context, experimentId: string): Promise<number> =>
  count(ctx, experimentId, ['running']);

/** The cells that wait or run. */
export const countOpenCells = (ctx: Context, experimentId: string): Promise<number> =>
  count(ctx, experimentId, ['waiting', 'running']);
