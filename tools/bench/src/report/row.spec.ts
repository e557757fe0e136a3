import { describe, expect, it } from '@jest/globals';
import { type Row, judge } from './row.js';

const findings = (...all: number[]) => all.map((value) => ({ value }));
const row = (more: Partial<Row>): Row => ({ group: 'g', name: 'n', unit: '/s', ours: findings(1), ...more });

describe('a row', () => {
  it('compares medians and the rounds', () => {
    const { ours, baseline, ratio } = judge(row({ ours: findings(50, 60, 10), baseline: findings(100, 80, 100) }));
    expect(ours).toEqual({ min: 10, median: 50, max: 60 });
    expect(baseline).toEqual({ min: 80, median: 100, max: 100 });
    expect(ratio).toEqual({ min: 0.1, median: 0.5, max: 0.75 });
  });

  it('reaches a target that the medians meet exactly', () => {
    const both = { ours: findings(50), baseline: findings(100) };
    expect(judge(row({ ...both, target: { of: 'ratio', least: 0.5 } })).reached).toBe(true);
    expect(judge(row({ ...both, target: { of: 'ratio', least: 0.51 } })).reached).toBe(false);
    expect(judge(row({ ...both, target: { of: 'ratio', most: 0.4 } })).reached).toBe(false);
    expect(judge(row({ ours: findings(40), target: { of: 'ours', most: 40 } })).reached).toBe(true);
  });

  it('misses its target without measurements', () => {
    expect(judge(row({ ours: [], target: { of: 'ours', most: 40 } })).reached).toBe(false);
  });

  it('has no verdict without a target', () => {
    expect(judge(row({}))).not.toHaveProperty('reached');
  });

  it('has the median share of a core of each process', () => {
    const ours = [0.5, 0.9, 0.7].map((share) => ({ value: 1, cores: { gateway: share } }));
    expect(judge(row({ ours })).cores).toEqual({ ours: { gateway: 0.7 } });
  });
});
