import type { Sampling } from '@lensforge/contracts';
import { withoutUndefined } from './without-undefined.js';
import type { Context } from '@lensforge/core';
import { atVersion, runnableLens } from '@lensforge/lenses';
import type { ToolAnswer } from '@lensforge/models';
import { type AcceptedRun, acceptLensRun, acceptPromptRun, acceptWorkflowRun, answerToolCalls } from '@lensforge/runs';
import { runnableWorkflow } from '@lensforge/workflows';
import type { Dialog } from './dialog.js';
import type { Target } from './find-target.js';
import { toLensParams } from './lens-params.js';
import { throwRenamed } from './rename-faults.js';
import type { RequestedTools } from './read-tools.js';
import { type PlatformOptions, refuse } from './requests.js';
import { toConversation } from './to-conversation.js';
import { readCallId } from './tool-call-ids.js';

/** A request for an answer, read from the form of its API. */
export interface AnswerOrder {
  target: Target;
  dialog: Dialog;
  /** The member with the dialog. */
  path: 'messages' | 'input';
  params: Record<string, unknown> | undefined;
  tools: RequestedTools;
  sampling: Sampling | undefined;
  outputSchema: Record<string, unknown> | undefined;
  options: PlatformOptions | undefined;
  metadata: Record<string, unknown> | undefined;
  stickyKey: string | undefined;
  idempotencyKey: string | undefined;
  batchId: string | undefined;
  /** Stored with the run, to answer in the same form later. */
  request: Record<string, unknown>;
}

export interface StartedAnswer extends Pick<AcceptedRun, 'runId'> {
  isWorkflow: boolean;
  /** The calls of a run that goes on after their results; its answer is what follows them. */
  after: readonly string[];
}

export interface StartParts {
  /** The longest execution that the platform allows. */
  timeoutMs: number;
  /** Counts the run of a workflow, or throws when there are too many. */
  countWorkflow: () => Promise<void>;
  /** Called for a new run of a lens. */
  onLens: (lensId: string) => void;
}

/** Starts the run that answers, or continues the one that waits for results of tools. */
export async function startAnswer(ctx: Context, order: AnswerOrder, parts: StartParts): Promise<StartedAnswer> {
  const waiting = findWaiting(order.dialog);
  if (waiting) {
    const { runId, results } = waiting;
    await answerToolCalls(ctx, { runId, results });
    return { runId, isWorkflow: false, after: results.map(({ callId }) => callId) };
  }
  const { kind } = order.target;
  const start = { model: startPrompt, agent: startPrompt, lens: startLens, workflow: startWorkflow }[kind];
  const { runId } = await start(ctx, order, parts).catch(throwRenamed);
  return { runId, isWorkflow: kind === 'workflow', after: [] };
}

/** The run that the last messages continue with results of tools. */
function findWaiting({ turns }: Dialog): { runId: string; results: { callId: string; output: string }[] } | undefined {
  const last = turns.at(-1);
  if (last?.role !== 'tool') return undefined;
  const found = last.results.flatMap(({ callId: id, text }: ToolAnswer) => {
    const ref = readCallId(id);
    return ref?.kind === 'wait' ? [{ ...ref, output: text }] : [];
  });
  const [first] = found;
  if (!first) return undefined;
  if (found.some(({ runId }) => runId !== first.runId) || found.length < last.results.length)
    throw refuse('messages', 'must end with results of one run alone');
  return { runId: first.runId, results: found.map(({ callId, output }) => ({ callId, output })) };
}

type Start = (ctx: Context, order: AnswerOrder, parts: StartParts) => Promise<AcceptedRun>;

const startPrompt: Start = async (ctx, order, { timeoutMs }) => {
  const { target, dialog, path, tools, options = {}, metadata, sampling, outputSchema } = order;
  if (order.params) throw refuse('metadata.params', 'is for lenses and workflows');
  const { modelOverride, params: _, concurrencyKey, concurrencyStrategy, stickyKey, ...more } = options;
  for (const [name, value] of Object.entries({ concurrencyKey, concurrencyStrategy, stickyKey }))
    if (value !== undefined) throw refuse(`lensforge.${name}`, 'is for lenses and workflows');
  const { prompt, ...conversation } = await toConversation(ctx, dialog, path);
  const ofAgent = target.kind === 'agent' ? target : undefined;
  return acceptPromptRun(ctx, {
    prompt,
    conversation: { ...conversation, ...tools },
    ...more,
    metadata,
    sampling,
    outputSchema,
    instructedBy: ofAgent?.id,
    modelKey: target.kind === 'model' ? target.name : (modelOverride ?? ofAgent?.modelKey),
    timeoutMs,
    cause: { openai: order.request },
    scope: 'lenses:read',
    idempotencyKey: order.idempotencyKey,
    batchId: order.batchId,
  });
};

const startLens: Start = async (ctx, order, { timeoutMs, onLens }) => {
  const { dialog, path, options = {}, metadata, sampling, outputSchema, stickyKey } = order;
  const { id: lensId, version } = order.target as Extract<Target, { kind: 'lens' }>;
  const served = await runnableLens(ctx, lensId);
  const lens = version === undefined ? served : await atVersion(ctx.db, served, version);
  refuseOtherTools(order.tools, lens.version.settings?.tools ?? []);
  const { params: more, ...rest } = options;
  const params = toLensParams(lens.version, { dialog, params: order.params ?? more, path });
  const { idempotencyKey, batchId, request } = order;
  const accepted = await acceptLensRun(ctx, {
    ...withoutUndefined({ stickyKey, version, metadata, sampling, outputSchema, idempotencyKey, batchId }),
    ...rest,
    lensId,
    params,
    timeoutMs,
    cause: { openai: request },
  });
  if (accepted.isNew) onLens(lensId);
  return accepted;
};

/** A program that performs the tools of a lens sends their definitions again; the lens decides about them. */
function refuseOtherTools({ tools = [], toolChoice }: RequestedTools, own: readonly { name: string }[]): void {
  const other = tools.find(({ name }) => !own.some((tool) => tool.name === name));
  if (other)
    throw refuse(
      'tools',
      `has ${other.name}, which is no tool of this lens: add it to the lens, or name a model as provider/key`,
    );
  if (toolChoice !== undefined) throw refuse('tool_choice', 'must be auto: this lens has its own tools');
}

const startWorkflow: Start = async (ctx, order, { timeoutMs, countWorkflow }) => {
  const { dialog, path, options = {}, metadata, stickyKey } = order;
  const { id: workflowId, version } = order.target as Extract<Target, { kind: 'workflow' }>;
  const { tools = [] } = order.tools;
  if (tools.length > 0) throw refuse('tools', 'are not for workflows');
  if (order.sampling ?? order.outputSchema)
    throw refuse('model', 'is a workflow, whose lenses have their own settings: leave out those of models');
  const { params, maxCredits: budgetCredits, priority, startAt, delaySeconds, ...rest } = options;
  for (const [name, value] of Object.entries({ priority, startAt, delaySeconds }))
    if (value !== undefined) throw refuse(`lensforge.${name}`, 'is not for workflows');
  const inputs = order.params ?? params ?? (await singleInput(ctx, { workflowId, version }, dialog, path));
  await countWorkflow();
  return acceptWorkflowRun(ctx, {
    stickyKey,
    ...rest,
    workflowId,
    version,
    inputs,
    budgetCredits,
    metadata,
    timeoutMs,
    cause: { openai: order.request },
    idempotencyKey: order.idempotencyKey,
  });
};

/** The last message of the user as the only input of a workflow. */
async function singleInput(
  ctx: Context,
  { workflowId, version }: { workflowId: string; version: string | undefined },
  { system, turns }: Dialog,
  path: string,
): Promise<Record<string, unknown>> {
  const { graph } = await runnableWorkflow(ctx, workflowId, version);
  const names = Object.keys((graph.inputs?.['properties'] as object | undefined) ?? {});
  const required = (graph.inputs?.['required'] as string[] | undefined) ?? [];
  const [single] = names.length === 1 ? names : required;
  const last = turns.at(-1);
  if (single === undefined || (names.length > 1 && required.length > 1)) {
    if (names.length === 0) return {};
    throw refuse('metadata.params', `is required: this workflow has the inputs ${names.join(', ')}; give them as JSON`);
  }
  if (last?.role !== 'user' || last.images || system.length > 0 || turns.length > 1)
    throw refuse(path, `must be one message of the user, which becomes the input ${single}`);
  return { [single]: last.text };
}
