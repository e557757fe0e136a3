import { describe, expect, it } from '@jest/globals';
import { Random } from './random.js';

const DRAWS = 200_000;

function momentsOf(draw: () => number): { mean: number; variance: number } {
  const values = Array.from({ length: DRAWS }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / DRAWS;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / DRAWS };
}

describe('Random', () => {
  it('repeats its numbers for the same seed and stream only', () => {
    const draw = (seed: number, stream: number): number[] => {
      const random = new Random(seed, stream);
      return [random.uniform(), random.normal(), random.poisson(3), random.uniform()];
    };
    expect(draw(1, 2)).toEqual(draw(1, 2));
    expect(draw(1, 2)).not.toEqual(draw(1, 3));
    expect(draw(1, 2)).not.toEqual(draw(2, 2));
    expect(draw(1, 2)).not.toEqual(draw(1 + 2 ** 32, 2));
  });

  it('draws uniform and normal numbers with their mean and variance', () => {
    const random = new Random(5);
    const uniform = momentsOf(() => random.uniform());
    expect(uniform.mean).toBeCloseTo(0.5, 2);
    expect(uniform.variance).toBeCloseTo(1 / 12, 2);
    const normal = momentsOf(() => random.normal());
    expect(normal.mean).toBeCloseTo(0, 1);
    expect(normal.variance).toBeCloseTo(1, 1);
  });

  it.each([1, 4, 30, 31, 1000])('draws Poisson numbers with mean and variance %i', (mean) => {
    const random = new Random(mean);
    const drawn = momentsOf(() => random.poisson(mean));
    expect(drawn.mean / mean).toBeCloseTo(1, 1);
    expect(drawn.variance / mean).toBeCloseTo(1, 1);
  });
});
