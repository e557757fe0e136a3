import { describe, expect, it } from '@jest/globals';
import { describeRule, interval, percent, points } from './numbers';

describe('the numbers of an experiment', () => {
  it('are percents and points with a digit', () => {
    expect(percent(0.9166)).toBe('91.7 %');
    expect(interval({ mean: 0.5, low: 0.25, high: 1 })).toBe('50 % (25 to 100)');
    expect(points({ mean: -0.1, low: -0.2, high: 0.05 })).toBe('-10 (-20 to +5)');
  });

  it('have rules in words', () => {
    expect(describeRule({ scorer: 'exact', min: 0.9 })).toBe('exact min 0.9');
    expect(describeRule({ scorer: 'exact', noProvenLoss: { margin: 0.02, find: 0.2 } })).toBe(
      'exact noProvenLoss margin 0.02, find 0.2',
    );
    expect(describeRule({ noNewFailures: true, tags: ['a', 'b'] })).toBe('noNewFailures tags a, b');
  });
});
