import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { type Vote } from './count-pairs.js';
import { leaderboardOf } from './leaderboard.js';

describe('leaderboardOf', () => {
  const votes: Vote[] = [{ ranking: [['a'], ['b']], count: 10 }];
  const verdicts: Vote[] = [{ ranking: [['b'], ['a']], count: 30 }];

  it.each([
    ['votes', 'a', 10],
    ['verdicts', 'b', 30],
    ['both', 'b', 40],
  ] as const)('rates %s by themselves', (source, first, number) => {
    const { ratings, fragility, fit } = leaderboardOf({ votes, verdicts }, { source });
    expect(ratings[0]!.contender).toBe(first);
    expect(fragility.first).toEqual([first]);
    expect(fit.votes).toBe(number);
  });

  it('uses votes only unless the caller asks for verdicts', () => {
    expect(leaderboardOf({ votes, verdicts })).toEqual(leaderboardOf({ votes, verdicts: [] }, { source: 'votes' }));
  });

  it('fits covariates on request', () => {
    const described = votes.map((vote) => ({ ...vote, covariates: { a: { length: 2 }, b: { length: 1 } } }));
    const { effects } = leaderboardOf({ votes: described, verdicts: [] }, { covariates: ['length'] });
    expect(effects).toMatchObject([{ covariate: 'length' }]);
    expect(effects[0]!.effect).toBeGreaterThan(0);
  });

  it('computes the numbers of the worked example in docs/ratings.md', () => {
    const text = readFileSync(new URL('../../../../docs/ratings.md', import.meta.url), 'utf8');
    const example = JSON.parse(/```json\n(.*?)```/s.exec(text)![1]!) as Vote[];
    const { ratings, fragility, fit } = leaderboardOf({ votes: example, verdicts: [] });

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
