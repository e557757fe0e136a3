import { describe, expect, it } from '@jest/globals';
import type { shapes } from '@lensforge/sdk';
import { gateResults, toHistory } from './history.js';

const arm = (version: string, more: Partial<shapes.ExperimentArmItem> = {}): shapes.ExperimentArmItem => ({
  name: version,
  versionId: version,
  version,
  isCandidate: false,
  isBaseline: false,
  modelOverride: null,
  gateResult: null,
  scores: [],
  ...more,
});
const experiment = (id: string, completedAt: string | null, arms: shapes.ExperimentArmItem[]) =>
  ({ id, completedAt, arms }) as shapes.ExperimentItem;
const score = (scorer: string, mean: number) => ({ scorer, mean, passRate: mean });

describe('toHistory', () => {
  it('lists the scored arms of ended experiments with the scorers of all of them', () => {
    const first = arm('1.1.0', { scores: [score('exact', 0.8), score('tone', 0.5)] });
    const second = arm('1.0.0', { scores: [score('length', 1)] });
    const { scorers, tried } = toHistory([
      experiment('c', null, [arm('1.2.0')]),
      experiment('b', '2026-11-02T00:00:00Z', [first, arm('1.0.0')]),
      experiment('a', '2026-11-01T00:00:00Z', [second]),
    ]);
    expect(scorers).toEqual(['exact', 'tone', 'length']);
    expect(tried.map(({ experimentId, version }) => [experimentId, version])).toEqual([
      ['b', '1.1.0'],
      ['a', '1.0.0'],
    ]);
  });
});

describe('gateResults', () => {
  it('has the newest result of each version, without those of other models and of texts that are no version', () => {
    const results = gateResults([
      experiment('b', null, [arm('1.1.0', { gateResult: 'passed' }), arm('1.0.0')]),
      experiment('a', null, [
        arm('1.1.0', { gateResult: 'failed' }),
        arm('1.0.1', { gateResult: 'passed', modelOverride: 'offline/echo' }),
        arm('1.0.2', { gateResult: 'passed', isCandidate: true }),
        arm('1.0.3', { gateResult: 'inconclusive' }),
      ]),
    ]);
    expect(Object.fromEntries(results)).toEqual({ '1.1.0': 'passed', '1.0.3': 'inconclusive' });
  });
});
