import { describe, expect, it } from '@jest/globals';
import { type Split, chooseArm, hashStickyKey, requireValidArms } from './arms.js';

const keys = Array.from({ length: 100_000 }, (_, at) => hashStickyKey(`user ${at}`));
const armsOf = (...weights: number[]): Split => ({
  versionId: 'base',
  arms: weights.map((weight, at) => ({ versionId: `arm ${at}`, version: `1.${at}.0`, weight })),
});
const choose = (split: Split): string[] => keys.map((key) => chooseArm(split, 'lens production', key));
const shareOf = (chosen: readonly string[], id: string): number =>
  (chosen.filter((each) => each === id).length / chosen.length) * 100;

describe('the arms of a label', () => {
  it.each([[[10]], [[1]], [[50]], [[0.5]], [[33.3, 33.3]], [[5, 20, 60, 10, 4]]])(
    'have their shares of 100,000 keys within one percent: %j',
    (weights) => {
      const chosen = choose(armsOf(...weights));
      for (const [at, weight] of weights.entries()) {
        expect(Math.abs(shareOf(chosen, `arm ${at}`) - weight)).toBeLessThan(1);
      }
      const rest = 100 - weights.reduce((sum, weight) => sum + weight, 0);
      expect(Math.abs(shareOf(chosen, 'base') - rest)).toBeLessThan(1);
    },
  );

  it('keep their keys while a weight grows', () => {
    const [small, large] = [choose(armsOf(10)), choose(armsOf(25))];
    for (const [at, arm] of small.entries()) if (arm === 'arm 0') expect(large[at]).toBe('arm 0');
  });

  it('have other keys for another version, label or lens', () => {
    const split = armsOf(50);
    const first = choose(split);
    const others = [
      keys.map((key) => chooseArm({ ...split, versionId: 'next' }, 'lens production', key)),
      keys.map((key) => chooseArm(split, 'lens staging', key)),
    ];
    for (const other of others) {
      const same = first.filter((arm, at) => (arm === 'arm 0') === (other[at] === 'arm 0')).length / keys.length;
      expect(Math.abs(same - 0.5)).toBeLessThan(0.01);
    }
  });

  it('name each version once, and leave some to the version of the label', () => {
    const arm = { versionId: 'a', version: '1.1.0', weight: 60 };
    expect(() => requireValidArms('base', [arm])).not.toThrow();
    expect(() => requireValidArms('a', [arm])).toThrow(/one version twice/);
    expect(() => requireValidArms('base', [arm, { ...arm, weight: 1 }])).toThrow(/one version twice/);
    expect(() => requireValidArms('base', [arm, { ...arm, versionId: 'b', weight: 40 }])).toThrow(/100 percent/);
  });
});
