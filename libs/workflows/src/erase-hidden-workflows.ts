import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

/**
 * Deletes all workflows of the caller that are not public, with their graphs, also of those deleted before, the candidates of
 * public ones, and all schedules of the caller.
 */
export const eraseHiddenWorkflows = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { accountId } = ctx.actor;
    await ctx.db.query('delete from schedules s using workflows w where w.id = s.workflow_id and w.account_id = $1', [
      accountId,
    ]);
    const [erased] = await ctx.db.query<[{ id: string }[], number]>(
      `update workflows set deleted_at = coalesce(deleted_at, $2), updated_at = $2, title = 'Erased workflow', description = ''
        where account_id = $1 and (visibility <> 'public' or deleted_at is not null) returning id`,
      [accountId, ctx.now()],
    );
    await ctx.db.query(
      `delete from workflow_versions v using workflows w
        where w.id = v.workflow_id and w.account_id = $1 and v.candidate is not null`,
      [accountId],
    );
    await ctx.db.query(
      `update workflow_versions set graph = '{"nodes":[],"edges":[]}', changelog = '' where workflow_id = any ($1)`,
      [erased.map(({ id }) => id)],
    );
  });
