import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Evaluation, evaluate, firstEvaluation, readScaler } from './autoscaler.js';
import { hasKubectl, manifestsIn, buildYaml } from './build-overlay.js';
import { evaluateFormula } from './formula.js';

const file = join(import.meta.dirname, '..', '..', '..', 'k8s', 'components', 'scaling', 'scaled-objects.yaml');
const scaler = readScaler(manifestsIn(readFileSync(file, 'utf8')), 'run-worker');

type Values = Readonly<Record<string, number>> | undefined;
const backlog = (count: number): Values => ({ waiting: 0, prioritized: 0, active: 0, backlog: count });

/** The replicas of one evaluation every 15 s. */
function replicasFor(values: readonly Values[], first = 2): number[] {
  const history: Evaluation[] = [firstEvaluation(0, first)];
  for (const [index, each] of values.entries()) history.push(evaluate(scaler, history, (index + 1) * 15, each));
  return history.slice(1).map(({ replicas }) => replicas);
}
const times = (count: number, values: Values): Values[] => Array.from({ length: count }, () => values);

describe('the scaler of run-workers', () => {
  it('has the limits, windows, query and lists of its manifest', () => {
    expect(scaler).toMatchObject({
      min: 2,
      max: 20,
      target: 60,
      fallback: { failures: 3, replicas: 4 },
      up: { windowSeconds: 0, policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      down: { windowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
      queries: { backlog: expect.stringContaining('from runs') as unknown },
      lists: { waiting: '{lensforge}:runs:wait' },
    });
  });

  (hasKubectl() ? it : it.skip)('is the same in the rendered overlay', () => {
    expect(readScaler(manifestsIn(buildYaml('production')), 'run-worker')).toEqual(scaler);
  });

  it('doubles every 15 s up to the maximum', () => {
    expect(replicasFor(times(6, backlog(5000)))).toEqual([4, 8, 16, 20, 20, 20]);
  });

  it('counts the jobs of Redis when they are more than the backlog', () => {
    expect(replicasFor([{ waiting: 100, prioritized: 50, active: 60, backlog: 70 }])).toEqual([4]);
  });

  it('rounds up, and does not change within a tenth of the target', () => {
    expect(replicasFor([backlog(131)])).toEqual([2]);
    expect(replicasFor([backlog(133)])).toEqual([3]);
  });

  it('removes one worker a minute after five minutes without need, down to the minimum', () => {
    const replicas = replicasFor([backlog(300), backlog(300), ...times(40, backlog(0))]);
    expect(replicas.slice(0, 3)).toEqual([4, 5, 5]);
    const changes = replicas.flatMap((count, index) => (count < (replicas[index - 1] ?? 0) ? [(index + 1) * 15] : []));
    expect(changes).toEqual([330, 390, 450]);
    expect(replicas.at(-1)).toBe(2);
  });

  it('has at least four workers after more than three failures in a row, and keeps more', () => {
    expect(replicasFor(times(5, undefined))).toEqual([2, 2, 2, 4, 4]);
    expect(replicasFor(times(5, undefined), 8)).toEqual([8, 8, 8, 8, 8]);
  });

  it('counts failures from 0 after a success', () => {
    expect(replicasFor([...times(3, undefined), backlog(0), ...times(3, undefined)])).toEqual([2, 2, 2, 2, 2, 2, 2]);
  });

  it('cannot be read from a ScaledObject without a formula', () => {
    const all = manifestsIn(readFileSync(file, 'utf8'));
    expect(() => readScaler(all, 'webhook-dispatcher')).toThrow('needs a formula');
    expect(() => readScaler(all, 'gateway')).toThrow('no ScaledObject gateway');
  });
});

it.each([
  ['max(a + b, c)', 6],
  ['min(a, b) * (c - 1) / 2', 2],
  ['a - b - c', -5],
  ['2.5 * b', 10],
])('the formula %s is %d', (formula, value) => {
  expect(evaluateFormula(formula, { a: 2, b: 4, c: 3 })).toBe(value);
});

it.each(['a +', 'max(a', 'b', 'a a', ''])('the formula "%s" is refused', (formula) => {
  expect(() => evaluateFormula(formula, { a: 1 })).toThrow('cannot be evaluated');
});
