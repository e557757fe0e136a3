import { describe, expect, it } from '@jest/globals';
import { Random } from '@lensforge/core';
import { analyseScorer } from './analyse.js';
import { decideGate } from './gate.js';
import { bootstrapMeans } from './bootstrap.js';
import { average, quantile } from './intervals.js';

type World = (random: Random, quality: number) => (loss: number) => number;

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** One case of each world: a function that gives a score for an arm that is worse by `loss`. */
const worlds: Readonly<Record<string, World>> = {
  'stable verdicts': (random, quality) => {
    const level = random.uniform();
    return (loss) => (level < quality - loss ? 1 : 0);
  },
  'noisy scores': (random, quality) => {
    const level = clamp(quality - 0.1 + 0.2 * random.uniform());
    return (loss) => clamp(level - loss + 0.15 * random.normal());
  },
  coins: (random) => (loss) => (random.uniform() < 0.5 - loss ? 1 : 0),
  mixed: (random, quality) => {
    const isCoin = random.uniform() < 0.3;
    const level = random.uniform();
    return (loss) => (isCoin ? (random.uniform() < 0.5 - loss ? 1 : 0) : level < quality - loss ? 1 : 0);
  },
};

const cases = 200;
const experiments = 100;

interface Shares {
  passed: number;
  failed: number;
  inconclusive: number;
}

/** The results of the usual gate over experiments in a world, of 100. */
function simulate(world: World, { loss, repetitions }: { loss: number; repetitions: number }): Shares {
  const shares: Shares = { passed: 0, failed: 0, inconclusive: 0 };
  for (let experiment = 0; experiment < experiments; experiment += 1) {
    const random = new Random(experiment + 1, 77);
    const tables = [[], []] as number[][][];
    for (let at = 0; at < cases; at += 1) {
      const answer = world(random, 0.8);
      for (const [arm, table] of tables.entries()) {
        table.push(Array.from({ length: repetitions }, () => answer(arm === 1 ? loss : 0)));
      }
    }
    const arms = tables.map((scores) => ({
      scores,
      passes: scores.map((each) => each.map((s) => s >= 0.5)),
      errors: 0,
    }));
    const comparison = compare(arms.map(({ scores }) => scores.map(average)));
    const evidence = {
      name: 'new',
      missing: 0,
      missingInBaseline: 0,
      creditsPerCase: 0,
      latencyP95Ms: null,
      newFailures: [],
      scorers: new Map([['s', { ...(arms[1] as (typeof arms)[0]), comparison }]]),
    };
    shares[decideGate([{ scorer: 's', noProvenLoss: {} }], [evidence]).result] += 1;
  }
  return shares;
}

/** With a tenth of the usual draws, for the time of the test. */
function compare([baseline = [], candidate = []]: readonly (readonly number[])[]) {
  const differences = candidate.map((mean, at) => mean - (baseline[at] ?? 0));
  return { differences, means: bootstrapMeans(differences, 1, 1000) };
}

describe('the usual gate, over 200 cases', () => {
  it.each([
    ['stable verdicts', 1],
    ['noisy scores', 1],
    ['coins', 3],
    ['mixed', 3],
  ] as const)(
    'in a world of %s with %d repetitions passes the same version and finds a loss of 10 points',
    (world, repetitions) => {
      const same = simulate(worlds[world] as World, { loss: 0, repetitions });
      const worse = simulate(worlds[world] as World, { loss: 0.1, repetitions });
      expect(same.passed).toBeGreaterThanOrEqual(95);
      expect(worse.failed).toBeGreaterThanOrEqual(80);
    },
  );

  it('says that one repetition is not enough where every answer is a coin', () => {
    const same = simulate(worlds['coins'] as World, { loss: 0, repetitions: 1 });
    expect(same.failed).toBeLessThanOrEqual(5);
    expect(same.inconclusive).toBeGreaterThanOrEqual(90);
  });
});

describe('the interval of a difference', () => {
  it.each(Object.keys(worlds))(
    'covers the true difference in about 95 of 100 experiments in a world of %s',
    (world) => {
      let covered = 0;
      for (let experiment = 0; experiment < 300; experiment += 1) {
        const random = new Random(experiment + 1, 5);
        const differences = Array.from({ length: 100 }, () => {
          const answer = (worlds[world] as World)(random, 0.6);
          return answer(0.1) - answer(0);
        });
        const means = bootstrapMeans(differences, experiment, 1000);
        if (quantile(means, 0.025) <= -0.1 && quantile(means, 0.975) >= -0.1) covered += 1;
      }
      expect(covered).toBeGreaterThanOrEqual(270);
    },
  );
});

describe('the results of a scorer', () => {
  it('are the same for the same seed', () => {
    const arms = [0, 1].map((arm) => ({
      scores: Array.from({ length: 20 }, (_, at) => [(at * (arm + 3)) % 7 > 2 ? 1 : 0]),
      passes: Array.from({ length: 20 }, (_, at) => [(at * (arm + 3)) % 7 > 2]),
      errors: 0,
    }));
    const run = (seed: number) => analyseScorer('s', arms, { baseline: 0, seed }).map(({ result }) => result);
    expect(run(1)).toEqual(run(1));
    expect(run(1)[0]?.difference).toBeNull();
    expect(run(1)[1]?.difference).toMatchObject({ mean: expect.any(Number), better: expect.any(Number) });
  });
});
