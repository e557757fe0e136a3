import { type Context, DomainError, notFound } from '@lensforge/core';
import { stickyHashOf } from '@lensforge/releases';
import { readableLens } from './access.js';
import { estimateFilled, estimateTokens } from './estimate-tokens.js';
import { fillIn, missingMessage, paramKey } from './template.js';
import { type VersionOf, chooseVersion } from './version-reads.js';

export interface RunLensInput extends VersionOf {
  paramValues?: Readonly<Record<string, unknown>> | undefined;
  /** The workflow for the tracking record; its caller executes the prompt and reports the result. */
  workflowId?: string | undefined;
}

export interface ResolvedLens {
  resolvedPrompt: string;
  lensTitle: string;
  lensDescription: string;
  runId: string | null;
  lensId: string;
  versionId: string;
  /** The values in the prompt, by the labels of the lens. */
  paramsUsed: Record<string, unknown>;
  /** Counted separately for text and values, so it may be one off for each value. */
  estimatedInputTokens: number;
  /** True when a tracking record was written. */
  persisted: boolean;
  nextStep: string;
}

const nextStep =
  'Carry out resolved_prompt now, as if the user had written it, and answer with the result. Lensforge has not called a model.';

const reportStep = (runId: string): string =>
  ` Then report the outcome, once: POST /v1/runs/${runId}/report of the REST API with {"status": "succeeded", "output": …} ` +
  'or {"status": "failed", "error": "…"}.';

export interface NewTrackingRecord {
  workflowId: string;
  lensId: string;
  lensVersionId: string;
  prompt: string;
  params: Readonly<Record<string, unknown>>;
}

/** Writes the tracking record of a prompt and returns its id. */
export type WriteTrackingRecord = (ctx: Context, order: NewTrackingRecord) => Promise<{ runId: string }>;

/** The default for callers that do not support workflows. */
const noWorkflows: WriteTrackingRecord = async (_ctx, { workflowId }) => {
  throw notFound('workflow', workflowId);
};

/** Fills in the template of a lens. The caller sends the prompt to a model. */
export async function runLens(ctx: Context, order: RunLensInput, recordRun = noWorkflows): Promise<ResolvedLens> {
  const lens = await readableLens(ctx, order.lensId);
  const wish = { name: order.version, stickyHash: stickyHashOf(ctx, null) };
  const { version } = await chooseVersion(ctx.db, lens, wish);
  const values = version.toValues(order.paramValues ?? {});
  const filled = fillIn(version.template, values);
  if ('missing' in filled) {
    const { missing } = filled;
    const message = missingMessage({ params: version.params, values, missing }, 'param_values');
    throw new DomainError('MISSING_PARAMS', message, {
      missing,
      all_parameters: version.params,
      lens_title: lens.title,
      lens_description: lens.description,
    });
  }
  const valuesByKey = new Map(Object.entries(values).map(([name, value]) => [paramKey(name), value]));
  const used = version.params.flatMap(({ label }) => {
    const value = valuesByKey.get(paramKey(label));
    return value === undefined || value === null ? [] : [[label, value] as const];
  });
  const paramsUsed = Object.fromEntries(used);
  const resolvedPrompt = version.toText(filled.parts, values);
  const estimatedInputTokens = version.hasExamples
    ? await estimateTokens(resolvedPrompt)
    : await estimateFilled(version.template, filled.parts);
  const recorded =
    order.workflowId === undefined
      ? undefined
      : await recordRun(ctx, {
          workflowId: order.workflowId,
          lensId: lens.id,
          lensVersionId: version.id,
          prompt: resolvedPrompt,
          params: paramsUsed,
        });
  return {
    resolvedPrompt,
    lensTitle: lens.title,
    lensDescription: lens.description,
    runId: recorded?.runId ?? null,
    lensId: lens.id,
    versionId: version.id,
    paramsUsed,
    estimatedInputTokens,
    persisted: recorded !== undefined,
    nextStep: recorded ? nextStep + reportStep(recorded.runId) : nextStep,
  };
}
