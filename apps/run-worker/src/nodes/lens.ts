import { DomainError } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import { pinned, runnableLens } from '@lensforge/lenses';
import { chooseModel, costOf, estimateCost, modelById } from '@lensforge/runs';
import type { LensSettings } from '@lensforge/workflows';
import { resolveValue } from '@lensforge/workflows';
import { ask, promptOfLens } from '../engine/ask.js';
import { RunFailure } from '../engine/run-failure.js';
import type { ExecuteNode, NodeOutcome, NodeWork } from './node-type.js';
import { failed } from './node-type.js';

/** Asks a model with the text of a lens. What it may cost is set aside before it is asked. */
export const lens: ExecuteNode<LensSettings> = async (work) => {
  const { settings, scope, parts, owner, run } = work;
  const { lensId, version } = settings;
  const params = { ...(resolveValue(settings.params, scope) as Record<string, unknown>), ...scope.input };
  const input = { lensId, params };
  try {
    const newest = await rideOut(() => runnableLens(owner, lensId));
    const { versionId } = version === undefined ? newest : await rideOut(() => pinned(owner.db, newest, version));
    const prompt = await promptOfLens(owner.db, { lensVersionId: versionId, params });
    const model = await modelOf(work);
    const estimate = estimateCost(model, prompt.prompt, { images: prompt.images.length });
    const refusal = estimate > 0 ? refusalOf(await work.reserve(estimate), estimate) : undefined;
    if (refusal) return { ...refusal, input };
    const answer = await ask(
      parts,
      { ...prompt, modelId: model.id, idempotencyKey: `${run.runId}:${work.node.nodeKey}` },
      { signal: work.signal, beforeCall: work.beforeEffect, onDelta: work.say },
    );
    const cost = Math.min(costOf(answer.model, answer.usage), estimate);
    const { input: tokenInput, output: tokenOutput } = answer.usage;
    const output = { text: answer.text };
    return { kind: 'succeeded', output, input, modelCalls: 1, tokenInput, tokenOutput, cost, reserved: estimate > 0 };
  } catch (reason) {
    work.signal.throwIfAborted();
    return { ...failureOf(reason), input };
  }
};

async function modelOf({ run, settings, owner }: NodeWork<LensSettings>): ReturnType<typeof chooseModel> {
  const { modelId } = run;
  const pinnedModel = modelId === null ? undefined : await rideOut(() => modelById(owner.db, modelId));
  return pinnedModel ?? rideOut(() => chooseModel(owner.db, { modelOverride: settings.model }));
}

function refusalOf(
  reservation: Awaited<ReturnType<NodeWork<LensSettings>['reserve']>>,
  needed: number,
): NodeOutcome | undefined {
  switch (reservation) {
    case 'reserved':
      return undefined;
    case 'over_budget':
      return failed(
        'BUDGET_EXCEEDED',
        `This node may cost ${needed} credits, and the budget of the run has fewer left`,
        {
          endsRun: true,
        },
      );
    case 'insufficient':
      return failed('INSUFFICIENT_CREDITS', `This node needs ${needed} credits set aside; the account has fewer`, {
        again: 'final',
      });
    case 'lost':
      return failed('WORKER_LOST', 'the node is no longer in the hands of this worker', { again: 'passing' });
  }
}

/** Failures keep what was set aside until the node has ended. */
function failureOf(reason: unknown): NodeOutcome {
  if (reason instanceof RunFailure) {
    const { code, message, retry } = reason;
    return failed(code, message, { reserved: true, ...(retry && { again: 'passing', afterMs: retry.afterMs }) });
  }
  if (reason instanceof DomainError) return failed(reason.code, reason.message, { again: 'final', reserved: true });
  throw reason;
}
