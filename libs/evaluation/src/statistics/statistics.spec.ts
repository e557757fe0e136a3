import { describe, expect, it } from '@jest/globals';
import { fairCoinAtMost, normalQuantile, studentQuantile } from './distributions.js';
import { decideGate } from './gate.js';
import { estimateMean, quantile } from './intervals.js';
import { casesToFindLoss, casesToProveNoWorse } from './power.js';
import { repeated } from './repetitions.js';
import { holm, signTest } from './tests.js';

describe('quantiles', () => {
  it('of the normal and of Student distributions are those of tables', () => {
    expect([0.999, 0.975, 0.95, 0.8, 0.001].map(normalQuantile)).toEqual(
      [3.090232, 1.959964, 1.644854, 0.841621, -3.090232].map((each) => expect.closeTo(each, 5)),
    );
    expect([-1, 0, 1, 2].map(normalQuantile)).toEqual([-Infinity, -Infinity, Infinity, Infinity]);
    const table = { 1: 12.7062, 2: 4.3027, 3: 3.1824, 5: 2.5706, 10: 2.2281, 30: 2.0423, 1000: 1.9623 };
    for (const [degrees, value] of Object.entries(table)) {
      expect(studentQuantile(0.975, Number(degrees)) / value).toBeCloseTo(1, Number(degrees) > 3 ? 3 : 2);
    }
    expect([studentQuantile(0.8, 1), studentQuantile(0.9, 4)]).toEqual([
      expect.closeTo(1.3764, 4),
      expect.closeTo(1.5332, 3),
    ]);
    expect(fairCoinAtMost(2, 10)).toBeCloseTo(56 / 1024, 12);
    expect(quantile([0, 10], 0.25)).toBe(2.5);
    expect(quantile([0, 10, 20], 0.75)).toBe(15);
  });
});

describe('the interval of a mean', () => {
  it("is Wilson's for verdicts, and never leaves 0 to 1", () => {
    expect(estimateMean(Array.from({ length: 10 }, (_, at) => (at < 8 ? 1 : 0)))).toEqual({
      mean: 0.8,
      low: expect.closeTo(0.4902, 4),
      high: expect.closeTo(0.9433, 4),
    });
    expect(estimateMean(Array.from({ length: 50 }, () => 1))).toMatchObject({
      mean: 1,
      low: expect.closeTo(0.9287, 4),
      high: expect.closeTo(1, 9),
    });
  });

  it("is Student's for other scores, and everything without cases", () => {
    expect(estimateMean([0.2, 0.4, 0.6])).toEqual({
      mean: expect.closeTo(0.4, 9),
      low: 0,
      high: expect.closeTo(0.8968, 3),
    });
    for (const [mean, scores] of [
      [0.5, [0, 0.5, 1]],
      [0.3, [0.2, 0.4]],
    ] as const)
      expect(estimateMean(scores)).toEqual({ mean: expect.closeTo(mean, 9), low: 0, high: 1 });
    expect(estimateMean([0.5, 0.5, 0.5])).toMatchObject({ low: expect.closeTo(0.1253, 4) });
    expect(estimateMean([])).toEqual({ mean: 0, low: 0, high: 1 });
  });
});

describe('tests', () => {
  it('of signs are exact and leave ties out', () => {
    expect(signTest([1, 1, 1, 1, 1, 0, 0])).toBeCloseTo(2 / 32, 12);
    expect(signTest([1, 1, 1, -1])).toBeCloseTo(10 / 16, 12);
    expect(signTest([1, -1])).toBe(1);
    expect(signTest([])).toBe(1);
  });

  it('of several arms are adjusted by Holm, in the order given', () => {
    expect(holm([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06].map((each) => expect.closeTo(each, 12)));
    expect(holm([])).toEqual([]);
  });
});

describe('repetitions', () => {
  it('give the chances that one of k or all of k pass', () => {
    expect(repeated(2, 4, 1)).toEqual({ passAtK: 0.5, passHatK: 0.5 });
    expect(repeated(2, 4, 2)).toEqual({ passAtK: expect.closeTo(5 / 6, 12), passHatK: expect.closeTo(1 / 6, 12) });
    expect(repeated(0, 3, 3)).toEqual({ passAtK: 0, passHatK: 0 });
  });
});

describe('the number of cases', () => {
  it('to find a loss is infinite within the margin, and grows with the noise', () => {
    const question = { loss: 0.1, margin: 0.02, confidence: 0.95, power: 0.8 };
    for (const margin of [0.1, 0.2]) expect(casesToFindLoss(0, { ...question, margin })).toBe(Infinity);
    expect(casesToProveNoWorse(0, { ...question, margin: 0 })).toBe(Infinity);
    expect(casesToFindLoss(0, question)).toBe(87);
    expect(casesToFindLoss(0.5, question)).toBe(484);
    expect(casesToProveNoWorse(0.2, question)).toBe(3092);
  });
});

describe('a gate', () => {
  const table = (mean: number, differences: number[] | null = null, errors = 0) => ({
    scores: [[mean], [mean]],
    passes: [[true], [true]],
    errors,
    comparison: differences && { differences, means: Float64Array.from(differences).sort() },
  });
  const arm = (more: object = {}) => ({
    name: 'new',
    missing: 0,
    missingInBaseline: 0,
    creditsPerCase: 3,
    latencyP95Ms: 900,
    newFailures: [{ key: 'k', tags: ['critical'] }],
    scorers: new Map([['s', table(0.8)]]),
    ...more,
  });
  /** Cases that all differ as much from the baseline. */
  const differing = (cases: number, by: number) => ({
    scorers: new Map([
      [
        's',
        table(
          0.5,
          Array.from({ length: cases }, () => by),
        ),
      ],
    ]),
  });
  const failing = (count: number) => Array.from({ length: count }, (_, at) => ({ key: `k${at}`, tags: [] }));
  const decide = (rule: object, more: object = {}) => decideGate([rule], [arm(more)]);

  it.each([
    [{ scorer: 's', min: 0.8 }, {}, 'passed', 'the mean score is 0.8'],
    [{ scorer: 's', min: 0.9 }, {}, 'failed', 'the mean score is 0.8, and 0.9 is needed'],
    [{ maxCreditsPerCase: 3 }, {}, 'passed', '3 credits a case'],
    [{ maxCreditsPerCase: 2.5 }, {}, 'failed', '3 credits a case, and 2.5 are allowed'],
    [{ maxLatencyP95Ms: 899 }, {}, 'failed', '900 ms at the 95th percentile, and 899 are allowed'],
    [{ noNewFailures: true }, {}, 'failed', '1 case that the baseline passes: k'],
    [{ noNewFailures: true, tags: ['critical'] }, {}, 'failed', '1 case that the baseline passes: k'],
    [{ noNewFailures: true, tags: ['other'] }, {}, 'passed', 'no case fails that the baseline passes'],
    [{ scorer: 's', min: 0 }, { missing: 2 }, 'failed', '2 cells of the arm have no score'],
    [
      { noNewFailures: true, tags: ['other'] },
      { missingInBaseline: 1 },
      'failed',
      '1 cell of the baseline has no score',
    ],
    [{ scorer: 's', noProvenLoss: {} }, { missingInBaseline: 2 }, 'failed', '2 cells of the baseline have no score'],
    [{ scorer: 's', min: 0.8 }, { missingInBaseline: 2 }, 'passed', 'the mean score is 0.8'],
    [{ scorer: 's', min: 0 }, { scorers: new Map([['s', table(1, null, 1)]]) }, 'failed', '1 score could not be made'],
    [{ scorer: 's', min: 0 }, { missing: 1 }, 'failed', '1 cell of the arm has no score'],
    [{ scorer: 'other', min: 0 }, {}, 'failed', 'there is no scorer other'],
    [{ scorer: 's', noProvenLoss: {} }, {}, 'failed', 'there is no baseline to compare with'],
    [{ maxLatencyP95Ms: 1 }, { latencyP95Ms: null }, 'failed', 'no run has a latency'],
    [{ noNewFailures: true, tags: ['other', 'critical'] }, {}, 'failed', '1 case that the baseline passes: k'],
    [
      { noNewFailures: true },
      { newFailures: failing(7) },
      'failed',
      '7 cases that the baseline passes: k0, k1, k2, k3, k4 and 2 more',
    ],
    [{ noNewFailures: true }, { newFailures: failing(2) }, 'failed', '2 cases that the baseline passes: k0, k1'],
    [{ scorer: 's', noProvenLoss: {} }, differing(87, 0), 'passed', 'no loss is proven: the difference is 0'],
    [{ scorer: 's', noProvenLoss: {} }, differing(100, 0.1), 'passed', 'no loss is proven: the difference is +0.1'],
    [{ scorer: 's', noProvenLoss: {} }, differing(100, -0.02), 'passed', 'no loss is proven: the difference is -0.02'],
    [
      { scorer: 's', noProvenLoss: {} },
      differing(100, -0.1),
      'failed',
      'the score is 0.1 lower than that of the baseline, at least 0.1',
    ],
    [
      { scorer: 's', noProvenLoss: { margin: undefined, find: 0.2 } },
      differing(31, 0),
      'passed',
      'no loss is proven: the difference is 0',
    ],
    [
      { scorer: 's', provenNoWorse: {} },
      differing(2, 0),
      'passed',
      'the score is at most 0 lower than that of the baseline',
    ],
    [
      { scorer: 's', provenNoWorse: {} },
      differing(2, -0.01),
      'passed',
      'the score is at most 0.01 lower than that of the baseline',
    ],
    [
      { scorer: 's', provenNoWorse: {} },
      differing(2, 0.1),
      'passed',
      'the score is at most 0 lower than that of the baseline',
    ],
    [
      { scorer: 's', provenNoWorse: {} },
      differing(2, -0.1),
      'failed',
      'the score is at least 0.1 lower than that of the baseline',
    ],
    [
      { scorer: 's', provenNoWorse: {} },
      differing(2, -0.02),
      'inconclusive',
      'the score may be 0.02 lower than that of the baseline: 3 cases would do, or about 2 times the repetitions where answers vary',
    ],
    [
      { scorer: 's', noProvenLoss: {} },
      { scorers: new Map([['s', table(0.5, [0, 0])]]) },
      'inconclusive',
      '2 cases cannot show whether 0.1 of the score is lost: 87 cases would do, or about 44 times the repetitions where answers vary',
    ],
    [
      { scorer: 's', provenNoWorse: { margin: 0.05 } },
      { scorers: new Map([['s', table(0.5, [-0.2, 0, 0.2])]]) },
      'inconclusive',
      expect.stringContaining('the score may be 0.18 lower'),
    ],
  ])('%j', (rule, more, result, reason) => {
    expect(decide(rule, more)).toEqual({ result, rules: [{ arm: 'new', rule, result, reason }] });
  });

  it('fails when one rule fails, and is inconclusive when one is and none fails', () => {
    const scorers = new Map([['s', table(0.8, [0, 0])]]);
    const open = { scorer: 's', noProvenLoss: {} };
    expect(decideGate([{ scorer: 's', min: 0.5 }, open], [arm({ scorers })]).result).toBe('inconclusive');
    expect(decideGate([{ scorer: 's', min: 0.9 }, open], [arm({ scorers })]).result).toBe('failed');
  });
});
