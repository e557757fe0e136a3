import { isTerminal, text } from '@lensforge/contracts';
import { acceptLensRun, getExecutionMs } from '@lensforge/runs';
import { requireLenser } from '../../lenser.js';
import { lensId, paramValues } from '../../parameters.js';
import { RunOutputResult, awaitOutput, hasFailed, maxWaitMs } from '../../results/run-output.js';
import { tool } from '../../tool.js';
import { formOfValues, readValues, valuesForm } from '../../values-form.js';

class Args {
  @lensId()
  lens_id!: string;

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'The number or the label of a version; the usual one when absent.',
  })
  version?: string;

  @paramValues('A value for each parameter, by its label; upper and lower case are the same.')
  param_values: Record<string, string> = {};

  @text({ min: 1, max: 200, optional: true, description: 'A model in place of that of the lens.' })
  model?: string;

  @text({ min: 1, max: 128, optional: true, description: 'A repeated call with the same key returns the same run.' })
  idempotency_key?: string;
}

export const executeLensTool = tool({
  name: 'execute_lens',
  class: 'Execute',
  rate: 'execute',
  waitsMs: maxWaitMs,
  title: 'Execute a lens',
  description:
    'Has the platform answer a lens by its model, and returns the answer: it calls a model and costs credits. Use it when ' +
    'the result of the lens is wanted. To carry out the prompt yourself, use run_lens. It waits up to a minute; a run that takes longer ' +
    'goes on, and get_run_output reads its answer. Without any value, the user is asked for them, if the client has forms.',
  scope: 'lenses:read',
  args: Args,
  result: RunOutputResult,
  errors: ['NOT_FOUND', 'MISSING_PARAMS', 'MISSING_LENSER'],
  names: { params: 'param_values', modelOverride: 'model' },
  hasFailed,
  toRunId: ({ run_id, status }) => (isTerminal(status) ? undefined : run_id),
  run: async (ctx, { lens_id: lensId, version, param_values, model, idempotency_key }, { showsForms, answers }) => {
    requireLenser(ctx);
    const answer = answers[valuesForm];
    if (showsForms && answer === undefined && Object.keys(param_values).length === 0) {
      const form = await formOfValues(ctx, { lensId, version });
      if (form) return form;
    }
    const params = { ...param_values, ...readValues(answer) };
    const { runId } = await acceptLensRun(ctx, {
      lensId,
      params,
      timeoutMs: getExecutionMs(ctx),
      onRepeat: 'existing',
      ...(version !== undefined && { version }),
      ...(model !== undefined && { modelOverride: model }),
      ...(idempotency_key !== undefined && { idempotencyKey: idempotency_key }),
    });
    return awaitOutput(ctx, runId, maxWaitMs);
  },
});
