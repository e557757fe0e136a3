import { listMcpServers } from '@lensforge/agents';
import { listAudit } from '@lensforge/audit';
import { listBattleHistory, listOwnVotes } from '@lensforge/battles';
import { listByokKeys } from '@lensforge/byok';
import { listCommunities } from '@lensforge/communities';
import type { ExportedType } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { listCreditEntries } from '@lensforge/credits';
import {
  everyCall,
  everyCase,
  everyCell,
  listDatasets,
  listEvaluationRules,
  listExperiments,
  readExperiment,
  listOwnReviews,
  listRecordings,
  listReviewQueues,
  listRunScores,
  listScorers,
  readScorer,
} from '@lensforge/evaluation';
import { listAiLensers, listConnectors, listTokens, readMe } from '@lensforge/identity';
import { getLens, getLensVersion, listLensCases, listLensVersions, listLenses } from '@lensforge/lenses';
import { listRuns, readOwnParams, readRun } from '@lensforge/runs';
import { listOwnMessages } from '@lensforge/threads';
import { listEndpoints, listIncomingWebhooks } from '@lensforge/webhooks';
import { getWorkflow, getWorkflowVersion, listWorkflowVersions, listWorkflows } from '@lensforge/workflows';
import { everyCountedItem, everyItem } from './every-item.js';

/** Everything that is stored about the caller, a line of JSON for each object. */
export async function* exportAccount(ctx: Context): AsyncGenerator<string> {
  for await (const [type, object] of listObjects(ctx)) yield `${JSON.stringify({ type, object })}\n`;
}

async function* listObjects(ctx: Context): AsyncGenerator<[ExportedType, object]> {
  const { accountId } = ctx.actor;
  const { credential: _, ...me } = await readMe(ctx);
  yield ['account', me];
  if (!me.account) return;
  yield* all(
    'community',
    everyItem((page) => listCommunities(ctx, page)),
  );
  yield* exportLenses(ctx);
  yield* exportDatasets(ctx);
  yield* exportScorers(ctx);
  yield* all(
    'evaluation_rule',
    everyItem((page) => listEvaluationRules(ctx, page)),
  );
  yield* all(
    'review_queue',
    everyItem((page) => listReviewQueues(ctx, page)),
  );
  yield* all(
    'review',
    everyItem((page) => listOwnReviews(ctx, page)),
  );
  yield* exportRecordings(ctx);
  yield* exportExperiments(ctx);
  yield* exportWorkflows(ctx);
  for await (const { id } of everyItem((page) => listRuns(ctx, page))) {
    const { items: scores } = await listRunScores(ctx, { runId: id, limit: 100 });
    yield ['run', { ...(await readRun(ctx, id)), params: await readOwnParams(ctx, id), scores }];
  }
  yield* all(
    'ai_lenser',
    everyCountedItem((page) => listAiLensers(ctx, { owner: accountId, ...page })),
  );
  yield* all(
    'battle',
    everyItem((page) => listBattleHistory(ctx, page)),
  );
  yield* all(
    'vote',
    everyItem((page) => listOwnVotes(ctx, page)),
  );
  yield* all(
    'thread_message',
    everyItem((page) => listOwnMessages(ctx, page)),
  );
  yield* all(
    'webhook_endpoint',
    everyItem((page) => listEndpoints(ctx, page)),
  );
  yield* all(
    'incoming_webhook',
    everyItem((page) => listIncomingWebhooks(ctx, page)),
  );
  yield* all(
    'mcp_server',
    everyItem((page) => listMcpServers(ctx, page)),
  );
  yield* all(
    'byok_key',
    everyItem((page) => listByokKeys(ctx, page)),
  );
  yield* all(
    'connector',
    everyItem((page) => listConnectors(ctx, page)),
  );
  yield* all(
    'token',
    everyItem((page) => listTokens(ctx, page)),
  );
  yield* all(
    'credit_entry',
    everyItem((page) => listCreditEntries(ctx, page)),
  );
  yield* all(
    'audit_entry',
    everyItem((page) => listAudit(ctx, { accountId, ...page })),
  );
}

async function* all(type: ExportedType, items: AsyncIterable<object>): AsyncGenerator<[ExportedType, object]> {
  for await (const item of items) yield [type, item];
}

async function* exportLenses(ctx: Context): AsyncGenerator<[ExportedType, object]> {
  const { accountId } = ctx.actor;
  for await (const { id: lensId } of everyCountedItem((page) => listLenses(ctx, { accountId, ...page }))) {
    yield ['lens', await getLens(ctx, lensId)];
    const versions = everyCountedItem(async (page) => {
      const { versions: items, hasMore } = await listLensVersions(ctx, { lensId, ...page });
      return { items, hasMore };
    });
    for await (const { id: versionId } of versions) {
      yield ['lens_version', await getLensVersion(ctx, { lensId, versionId })];
    }
    yield* all(
      'lens_case',
      everyItem((page) => listLensCases(ctx, lensId, page)),
    );
  }
}

async function* exportDatasets(ctx: Context): AsyncGenerator<[ExportedType, object]> {
  for await (const dataset of everyItem((page) => listDatasets(ctx, page))) {
    yield ['dataset', dataset];
    yield* all('dataset_case', everyCase(ctx, { datasetId: dataset.id }));
  }
}

async function* exportScorers(ctx: Context): AsyncGenerator<[ExportedType, object]> {
  for await (const { id: scorerId, version: newest } of everyItem((page) => listScorers(ctx, page))) {
    for (let version = 1; version <= newest; version += 1)
      yield ['scorer', await readScorer(ctx, { scorerId, version })];
  }
}

async function* exportRecordings(ctx: Context): AsyncGenerator<[ExportedType, object]> {
  for await (const recording of everyItem((page) => listRecordings(ctx, page))) {
    yield ['recording', recording];
    yield* all('recorded_call', everyCall(ctx, recording.id));
  }
}

async function* exportExperiments(ctx: Context): AsyncGenerator<[ExportedType, object]> {
  for await (const { id: experimentId } of everyItem((page) => listExperiments(ctx, page))) {
    const experiment = await readExperiment(ctx, experimentId);
    yield ['experiment', experiment];
    for (const { versionId, isCandidate } of experiment.arms) {
      // Lists of versions do not have the texts that were only tried.
      if (isCandidate && experiment.lensId !== null) {
        yield ['lens_version', await getLensVersion(ctx, { lensId: experiment.lensId, versionId })];
      }
    }
    yield* all('experiment_cell', everyCell(ctx, { experimentId }));
  }
}

async function* exportWorkflows(ctx: Context): AsyncGenerator<[ExportedType, object]> {
  const { accountId } = ctx.actor;
  for await (const { id: workflowId } of everyCountedItem((page) => listWorkflows(ctx, { accountId, ...page }))) {
    yield ['workflow', await getWorkflow(ctx, workflowId)];
    const versions = everyCountedItem(async (page) => {
      const { versions: items, hasMore } = await listWorkflowVersions(ctx, { workflowId, ...page });
      return { items, hasMore };
    });
    for await (const { id: version } of versions) {
      yield ['workflow_version', await getWorkflowVersion(ctx, { workflowId, version })];
    }
  }
}
