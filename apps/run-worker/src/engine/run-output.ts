import { newId } from '@lensforge/core';
import { priceUsage } from '@lensforge/models';
import type { ClaimedRun, Finish, NewArtifact, NewRunEvent } from '@lensforge/runs';
import type { ModelAnswer } from './model-request.js';
import { buildAnswerArtifact } from './workflow/run-outputs.js';

/** The result of a run that succeeded. At most its hold is charged. */
export interface RunOutput extends Pick<
  Finish,
  'artifacts' | 'tokenInput' | 'tokenOutput' | 'tokenDetails' | 'cost' | 'answeredBy' | 'finishReason'
> {
  /** Events that are stored with the end of the run. */
  events?: readonly NewRunEvent[];
}

export const toRunOutput = (
  { modelId, hold }: Pick<ClaimedRun, 'modelId' | 'hold'>,
  answer: ModelAnswer,
): RunOutput => {
  const { usage, model, finishReason } = answer;
  return {
    artifacts: buildArtifacts(answer),
    ...priceUsage(model, usage, { isFree: hold === 0 }),
    answeredBy: model.id === modelId ? null : { modelId: model.id, providerKey: model.providerKey },
    finishReason,
  };
};

function buildArtifacts({ text, json, toolCalls }: ModelAnswer): NewArtifact[] {
  const output = buildAnswerArtifact({ text, ...(json && { json: json.value }) });
  if (toolCalls.length === 0) return [output];
  const log: NewArtifact = {
    id: newId(),
    kind: 'tool_log',
    contentText: null,
    contentJson: toolCalls,
    isPrimaryOutput: false,
  };
  return [output, log];
}
