import type { ExperimentCell } from '@lensforge/contracts';
import type { StoredExperiment } from './experiment.entity.js';

/** The results in the form of promptfoo's own output file, for tools that read it. */
export async function* writePromptfooJson(
  { id, name, arms, completedAt, createdAt }: StoredExperiment,
  cells: AsyncIterable<ExperimentCell>,
): AsyncGenerator<string> {
  const stats = { successes: 0, failures: 0, errors: 0 };
  const timestamp = (completedAt ?? createdAt).toISOString();
  const tests = new Map<string, number>();
  yield `{"evalId":${JSON.stringify(id)},"results":{"version":3,"timestamp":"${timestamp}","prompts":${JSON.stringify(
    arms.map((arm) => ({ raw: arm.name, label: arm.name, provider: arm.modelOverride ?? '' })),
  )},"results":[`;
  let mark = '\n';
  for await (const cell of cells) {
    const test = `${cell.key} ${cell.repetition}`;
    if (!tests.has(test)) tests.set(test, tests.size);
    const promptIdx = arms.findIndex((arm) => arm.name === cell.arm);
    const result = toResult(cell, {
      testIdx: tests.get(test) ?? 0,
      promptIdx,
      provider: arms[promptIdx]?.modelOverride ?? '',
    });
    stats[result.failureReason === 2 ? 'errors' : result.success ? 'successes' : 'failures'] += 1;
    yield mark + JSON.stringify(result);
    mark = ',\n';
  }
  yield `],"stats":${JSON.stringify(stats)}},"config":{"description":${JSON.stringify(name)}}}\n`;
}

/** 0: passed, 1: an assertion failed, 2: there is no answer. */
function toResult(
  { key, arm, runId, output, error, scores, credits, latencyMs, params, state }: ExperimentCell,
  { testIdx, promptIdx, provider }: { testIdx: number; promptIdx: number; provider: string },
) {
  const success = state === 'scored' && scores.every(({ pass }) => pass);
  const score = scores.length === 0 ? 0 : scores.reduce((sum, each) => sum + each.score, 0) / scores.length;
  const reason = error ?? scores.map(({ scorer, reason }) => `${scorer}: ${reason}`).join('; ');
  return {
    id: runId,
    testIdx,
    promptIdx,
    success,
    failureReason: state === 'scored' ? (success ? 0 : 1) : 2,
    score,
    vars: params,
    testCase: { description: key, vars: params },
    prompt: { raw: arm, label: arm },
    provider: { id: provider },
    response: { output },
    error,
    latencyMs,
    cost: credits,
    namedScores: Object.fromEntries(scores.map((each) => [each.scorer, each.score])),
    gradingResult: {
      pass: success,
      score,
      reason,
      componentResults: scores.flatMap(({ assertions }) =>
        assertions.map(({ type, ...found }) => ({ ...found, assertion: { type } })),
      ),
    },
  };
}
