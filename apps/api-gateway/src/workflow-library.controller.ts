import {
  type WorkflowCandidateSaved,
  type WorkflowDeleted,
  type WorkflowDiffReply,
  type WorkflowGraphRequest,
  type WorkflowItem,
  type WorkflowLabelMove,
  type WorkflowLabelPlace,
  type WorkflowLabelRemoved,
  type WorkflowRecord,
  type WorkflowVersionItem,
  type WorkflowVersionRecord,
  endpoints,
} from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves, sendDocument } from '@lensforge/edge';
import {
  createWorkflow,
  deleteWorkflow,
  diffWorkflowVersions,
  exportWorkflow,
  getWorkflow,
  getWorkflowVersion,
  importWorkflow,
  listWorkflowLabelMoves,
  listWorkflowVersions,
  listWorkflows,
  removeWorkflowLabel,
  returnWorkflowLabel,
  saveGraph,
  saveWorkflowCandidate,
  setWorkflowLabel,
  updateWorkflow,
} from '@lensforge/workflows';
import { findEvidence } from '@lensforge/evaluation';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countedPageResponse, pageResponse, withOffset } from './page-response.js';

@Controller()
export class WorkflowLibraryController {
  @Serves(endpoints.listWorkflows)
  async list(
    @Caller() ctx: Context,
    @Input() { query: { author: accountId, ...query } }: InputOf<typeof endpoints.listWorkflows>,
  ): Promise<ListResponse<WorkflowItem>> {
    return countedPageResponse(
      await readFromReplica(ctx, (ctx) => listWorkflows(ctx, { ...withOffset(query), accountId })),
    );
  }

  @Serves(endpoints.createWorkflow)
  async create(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.createWorkflow>,
  ): Promise<WorkflowRecord> {
    const { workflowId } = await createWorkflow(ctx, body);
    return getWorkflow(ctx, workflowId);
  }

  @Serves(endpoints.importWorkflow)
  async import(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.importWorkflow>,
  ): Promise<WorkflowRecord> {
    const { workflowId } = await importWorkflow(ctx, body);
    return getWorkflow(ctx, workflowId);
  }

  @Serves(endpoints.getWorkflow)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getWorkflow>): Promise<WorkflowRecord> {
    return getWorkflow(ctx, params.workflowId);
  }

  @Serves(endpoints.updateWorkflow)
  async update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateWorkflow>,
  ): Promise<WorkflowRecord> {
    await updateWorkflow(ctx, { ...body, ...params });
    return getWorkflow(ctx, params.workflowId);
  }

  @Serves(endpoints.deleteWorkflow)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.deleteWorkflow>,
  ): Promise<WorkflowDeleted> {
    return deleteWorkflow(ctx, params.workflowId);
  }

  @Serves(endpoints.saveWorkflowGraph)
  async saveGraph(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.saveWorkflowGraph>,
  ): Promise<WorkflowVersionRecord> {
    const { changelog, baseVersionId, ...given } = body;
    const graph = graphIn(given);
    const { isNew: _, ...version } = await saveGraph(ctx, { graph, changelog, baseVersionId, ...params });
    return version;
  }

  @Serves(endpoints.saveWorkflowCandidate)
  saveCandidate(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.saveWorkflowCandidate>,
  ): Promise<WorkflowCandidateSaved> {
    return saveWorkflowCandidate(ctx, { ...params, ...body });
  }

  @Serves(endpoints.setWorkflowLabel)
  setLabel(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.setWorkflowLabel>,
  ): Promise<WorkflowLabelPlace> {
    return setWorkflowLabel(ctx, { ...params, ...body }, findEvidence);
  }

  @Serves(endpoints.removeWorkflowLabel)
  removeLabel(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeWorkflowLabel>,
  ): Promise<WorkflowLabelRemoved> {
    return removeWorkflowLabel(ctx, params);
  }

  @Serves(endpoints.returnWorkflowLabel)
  returnLabel(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.returnWorkflowLabel>,
  ): Promise<WorkflowLabelPlace> {
    return returnWorkflowLabel(ctx, { ...params, ...body });
  }

  @Serves(endpoints.listWorkflowLabelMoves)
  async labelMoves(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listWorkflowLabelMoves>,
  ): Promise<ListResponse<WorkflowLabelMove>> {
    return pageResponse(await listWorkflowLabelMoves(ctx, params.workflowId, query));
  }

  @Serves(endpoints.listWorkflowVersions)
  async versions(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listWorkflowVersions>,
  ): Promise<ListResponse<WorkflowVersionItem>> {
    const { versions: items, ...page } = await readFromReplica(ctx, (ctx) =>
      listWorkflowVersions(ctx, { ...withOffset(query), ...params }),
    );
    return countedPageResponse({ ...page, items });
  }

  @Serves(endpoints.getWorkflowVersion)
  version(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getWorkflowVersion>,
  ): Promise<WorkflowVersionRecord> {
    return getWorkflowVersion(ctx, { workflowId: params.workflowId, version: params.versionId });
  }

  @Serves(endpoints.diffWorkflowVersions)
  diff(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.diffWorkflowVersions>,
  ): Promise<WorkflowDiffReply> {
    return diffWorkflowVersions(ctx, { ...query, ...params });
  }

  @Serves(endpoints.exportWorkflow)
  async export(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.exportWorkflow>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { document, versions: items } = await exportWorkflow(ctx, params.workflowId);
    await sendDocument(request, reply, { document, member: 'versions', items });
  }
}

/** The graph of a body: its member `graph`, or the body itself. */
function graphIn({
  graph,
  ...bare
}: Omit<WorkflowGraphRequest, 'changelog' | 'baseVersionId'>): Record<string, unknown> {
  const given = Object.entries(bare).filter(([, member]) => member !== undefined);
  if (graph && given.length > 0)
    throw badInput('', 'The body has the graph twice: send either graph, or nodes and edges');
  if (!graph && bare.nodes === undefined) {
    throw badInput('graph', 'is required, unless the body is the graph itself: {nodes, edges}');
  }
  return graph ?? Object.fromEntries(given);
}
