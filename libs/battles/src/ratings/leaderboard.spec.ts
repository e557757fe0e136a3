import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { countPairs, type Vote } from './count-pairs.js';
import { rankContenders } from './leaderboard.js';

describe('rankContenders', () => {
  const votes: Vote[] = [{ ranking: [['a'], ['b']], count: 10 }];

  it('has ratings with comparisons, the fit and the fragility', () => {
    const { ratings, fragility, fit } = rankContenders(countPairs(votes));
    expect(ratings).toMatchObject([
      { contender: 'a', rank: 1, votes: 10, wins: 10, ties: 0, losses: 0 },
      { contender: 'b', rank: 2, votes: 10, wins: 0, ties: 0, losses: 10 },
    ]);
    expect(fragility.first).toEqual(['a']);
    expect(fit.votes).toBe(10);
  });

  it('fits covariates on request', () => {
    const described = votes.map((vote) => ({ ...vote, covariates: { a: { length: 2 }, b: { length: 1 } } }));
    const { effects } = rankContenders(countPairs(described, { covariates: ['length'] }));
    expect(effects).toMatchObject([{ covariate: 'length' }]);
    expect(effects[0]!.effect).toBeGreaterThan(0);
  });

  it('computes the numbers of the worked example in docs/ratings.md', () => {
    const text = readFileSync(new URL('../../../../docs/ratings.md', import.meta.url), 'utf8');
    const example = JSON.parse(/```json\n(.*?)```/s.exec(text)![1]!) as Vote[];
    const { ratings, fragility, fit } = rankContenders(countPairs(example));

    const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const [ada, ben] = ratings;
    for (const { component, rank, contender, strength, elo, eloInterval, ranks, votes: number } of ratings) {
      const interval = `${eloInterval.low.toFixed()} to ${eloInterval.high.toFixed()}`;
      const range = `${ranks.best}–${ranks.worst}`;
      const cells = [component, rank, contender, strength.toFixed(2), elo.toFixed(), interval, range, number];
      expect(rows).toContainEqual(['', ...cells.map(String), '']);
    }

    const prose = text.replace(/\s+/g, ' ');
    const gap = ada!.strength - ben!.strength;
    const [win, tie] = [Math.exp(gap / 2), fit.tie!];
    const percent = (part: number): string => ((100 * part) / (win + 1 / win + tie)).toFixed();
    expect(prose).toContain(`${fit.votes} votes, \`count\` of each kind`);
    expect(prose).toContain(`the strengths differ by ${gap.toFixed(2)}, so ada wins ${Math.exp(gap).toFixed(1)} times`);
    expect(prose).toContain(`The tie parameter is ${tie.toFixed(2)}: in 100 votes expect ${percent(win)} for ada,`);
    expect(prose).toContain(`${percent(1 / win)} for ben and ${percent(tie)} ties`);
    expect(fragility.removed).toEqual([{ ranking: [['ben'], ['cleo']], contenders: ['ben', 'cleo'], count: 24 }]);
    expect(fragility.firstAfter).toEqual(['cleo']);
    expect(prose).toContain(
      `Fragility is ${fragility.votes!}: without 24 of the 27 votes for ben over cleo, cleo is first`,
    );
  });
});
