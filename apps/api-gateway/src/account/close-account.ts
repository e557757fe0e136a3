import { archiveAgent, deleteMcpServer, listMcpServers } from '@lensforge/agents';
import { listByokKeys, revokeByokKey } from '@lensforge/byok';
import { listCommunities, removeMember } from '@lensforge/communities';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import {
  eraseDatasets,
  eraseEvaluationRules,
  eraseExperiments,
  eraseRecordings,
  eraseReviews,
  eraseScorers,
} from '@lensforge/evaluation';
import { closePerson, listAiLensers, listConnectors, removeConnector } from '@lensforge/identity';
import { eraseHiddenLenses } from '@lensforge/lenses';
import { hasOpenRuns } from '@lensforge/runs';
import { eraseHiddenThreads } from '@lensforge/threads';
import { listEndpoints, listIncomingWebhooks, removeEndpoint, removeIncomingWebhook } from '@lensforge/webhooks';
import { eraseHiddenWorkflows } from '@lensforge/workflows';
import { everyItem } from './every-item.js';

/** Closes the account of the caller, and deletes what only its person can see. What others use stays, without the name. */
export async function closeAccount(ctx: Context, { handle }: { handle: string }): Promise<{ closed: true }> {
  const { accountId, userId } = ctx.actor;
  const [own] = await ctx.db.query<{ handle: string }[]>('select handle from accounts where id = $1', [accountId]);
  if (userId === null || own?.handle !== handle) throw badInput('handle', 'it must be the handle of your account');
  await inTransaction(ctx, async (ctx) => {
    // Nothing starts a run any more while this transaction decides.
    await ctx.db.query('select from accounts where id = $1 for update', [accountId]);
    if (await hasOpenRuns(ctx, accountId)) {
      throw new DomainError('CONFLICT', 'Runs of your account have not ended: wait for them, or cancel them');
    }
    for await (const { id } of everyItem((page) => listCommunities(ctx, page))) {
      await removeMember(ctx, { communityId: id, accountId });
    }
    await removeObjects(ctx);
    await eraseExperiments(ctx);
    await eraseReviews(ctx);
    await eraseEvaluationRules(ctx);
    await eraseScorers(ctx);
    await eraseRecordings(ctx);
    await eraseDatasets(ctx);
    await eraseHiddenWorkflows(ctx);
    await eraseHiddenLenses(ctx);
    await eraseHiddenThreads(ctx);
    await closePerson(ctx, { userId, accountId });
  });
  return { closed: true };
}

async function removeObjects(ctx: Context): Promise<void> {
  for await (const { id } of everyItem((page) => listConnectors(ctx, page)))
    await removeConnector(ctx, { connectorId: id });
  for await (const { id } of everyItem((page) => listByokKeys(ctx, page))) await revokeByokKey(ctx, id);
  for await (const { id } of everyItem((page) => listEndpoints(ctx, page)))
    await removeEndpoint(ctx, { endpointId: id });
  for await (const { id } of everyItem((page) => listIncomingWebhooks(ctx, page))) {
    await removeIncomingWebhook(ctx, { webhookId: id });
  }
  for await (const { id } of everyItem((page) => listMcpServers(ctx, page))) await deleteMcpServer(ctx, id);
  for (;;) {
    const { items } = await listAiLensers(ctx, { owner: ctx.actor.accountId, status: 'active', limit: 100 });
    if (items.length === 0) return;
    for (const { id } of items) await archiveAgent(ctx, id);
  }
}
