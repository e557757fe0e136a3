import { describe, expect, it } from '@jest/globals';
import { type PairJudgement, defaultRubric, pairVerdicts } from '@lensforge/battles';
import {
  type Anchors,
  type AskJudge,
  type JudgeRequest,
  type Judged,
  type TextFeatures,
  compareOffline,
  extractFeatures,
  judgeCriterion,
  judgePair,
  markOffline,
  pairOutcome,
} from '@lensforge/judges';
import { hostileEntries, honest, task, weak } from './hostile-entries.js';
import { type Data, dataOf, obedientChoice, obedientLevel } from './obedient-model.js';

const entries = Object.entries(hostileEntries);

/** A model of the test. */
const modelOf =
  (answer: (request: JudgeRequest) => string): AskJudge =>
  async (request) => ({ text: answer(request), usage: { input: 1, output: 1 }, cost: 0 });

const obedientPairModel = modelOf(({ prompt }) => obedientChoice(prompt));

const measured = (text: string): Promise<TextFeatures> => extractFeatures(task, text, { account: 'judge' });

const anchors: Anchors = ['wrong', 'mostly wrong', 'half right', 'mostly right', 'right'];

const obedientCriterionModel = modelOf(({ prompt }) => obedientLevel(prompt, ['wrong', 'right']));

const judgementOf = (
  first: string,
  second: string,
  { outcome, reasoning }: Judged<Exclude<PairJudgement['choice'], 'abstained'>>,
): PairJudgement => ({ first, second, choice: outcome === 'unpaid' ? 'abstained' : outcome, reasoning });

/** Judges a text against the honest one in both orders. */
async function judgeBoth(ask: AskJudge, text: string): Promise<[PairJudgement, PairJudgement]> {
  const one = await judgePair(ask, { key: 'one', task, first: text, second: honest });
  const swapped = await judgePair(ask, { key: 'swapped', task, first: honest, second: text });
  return [judgementOf('hostile', 'honest', one), judgementOf('honest', 'hostile', swapped)];
}

const criterion = { name: 'correctness', description: 'It is correct.', anchors };
const byCriterion = (ask: AskJudge, text: string): ReturnType<typeof judgeCriterion> =>
  judgeCriterion(ask, { key: 'item', task, text, criterion });

function expectWholeVerdict(judgements: readonly PairJudgement[]): void {
  const verdicts = pairVerdicts(['hostile', 'honest'], judgements);
  for (const verdict of verdicts) {
    expect(Object.keys(verdict).sort()).toEqual(['contenderId', 'reasoning', 'score', 'verdict']);
    expect(verdict.verdict).toMatch(/^\d wins?, \d ties?, \d loss(es)?(, \d abstentions?)?$/);
    expect(verdict.reasoning.length).toBeLessThan(8001);
    expect(verdict.reasoning.isWellFormed()).toBe(true);
    expect(verdict.reasoning).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
  }
  const [hostile, other] = verdicts;
  expect(hostile!.score + other!.score).toBe(1);
  expect(hostile!.score).toBeLessThanOrEqual(0.5);
}

describe('hostile entries', () => {
  it('are many', () => {
    expect(entries.length).toBeGreaterThanOrEqual(40);
    expect(entries.some(([, text]) => text.length === 100_000)).toBe(true);
  });

  describe.each(entries)('%s', (_, text) => {
    const prompts = async (entry: string): Promise<Data[]> => {
      const found: Data[] = [];
      const ask = modelOf(({ prompt }) => {
        found.push(dataOf(prompt));
        return '';
      });
      await judgeBoth(ask, entry);
      await byCriterion(ask, entry);
      return found;
    };

    it('stays between its fences', async () => {
      const [hostile, benign] = [await prompts(text), await prompts(weak)];
      const levels = /^[0-9A-F]{8}: .*$/gm;
      expect(hostile).toHaveLength(6);
      for (const [index, { blocks, outside, boundary }] of hostile.entries()) {
        const other = benign[index]!;
        expect([...blocks.keys()]).toEqual([...other.blocks.keys()]);
        expect(outside.replace(levels, '')).toBe(other.outside.replace(levels, ''));
        expect(blocks.get('TASK')).toBe(task);
        expect(text.toUpperCase()).not.toContain(boundary);
        for (const block of blocks.values()) {
          expect(block.length).toBeLessThan(40_100);
          expect(block).not.toMatch(
            /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u200B\u{E0000}-\u{E01EF}]/u,
          );
        }
      }
    });

    it('wins nothing from a model that repeats it as its answer', async () => {
      const judgements = await judgeBoth(
        modelOf(() => text),
        text,
      );
      expect(['tie', 'abstained']).toContain(pairOutcome(judgements[0].choice, judgements[1].choice));
      expectWholeVerdict(judgements);
      expect(
        (
          await byCriterion(
            modelOf(() => text),
            text,
          )
        ).outcome,
      ).toBe('abstained');
    });

    it('wins nothing from a model that obeys it', async () => {
      for (const entry of [text, `${weak}\n${text}`, `${text}\n${weak}`]) {
        const judgements = await judgeBoth(obedientPairModel, entry);
        expect(pairOutcome(judgements[0].choice, judgements[1].choice)).not.toBe('first');
        expectWholeVerdict(judgements);
        expect(['abstained', 1]).toContain((await byCriterion(obedientCriterionModel, entry)).outcome);
      }
    });

    it('wins nothing from the offline judge', async () => {
      const [good, poor] = [await measured(honest), await measured(weak)];
      for (const entry of [text, `${weak}\n${text}`, `${text}\n${weak}`]) {
        const hostile = await measured(entry);
        expect(compareOffline(hostile, good).choice).toBe('second');
        expect(compareOffline(good, hostile).choice).toBe('first');
        const all = [good, hostile];
        for (const { name } of defaultRubric) {
          const mark = markOffline(hostile, { criterion: name, all }).mark;
          expect(mark).toBeLessThanOrEqual(markOffline(good, { criterion: name, all }).mark);
        }
      }
      for (const entry of [`${honest}\n${text}`, `${text}\n${honest}`]) {
        expect(compareOffline(await measured(entry), good).choice).not.toBe('first');
      }
      for (const entry of [`${weak}\n${text}`, `${text}\n${weak}`]) {
        expect(compareOffline(await measured(entry), poor).choice).not.toBe('first');
      }
    });
  });

  it('become ties by the swapped order, or abstentions, where a model obeys them', async () => {
    const seen = { swapped: 0, abstained: 0 };
    for (const [, text] of entries) {
      const [one, swapped] = await judgeBoth(obedientPairModel, text);
      if (one.choice === 'abstained' && swapped.choice === 'abstained') seen.abstained += 1;
      else if (one.choice !== 'tie' && one.choice === swapped.choice) seen.swapped += 1;
    }
    expect(seen.swapped).toBeGreaterThan(20);
    expect(seen.abstained).toBeGreaterThan(10);
  });

  it('leave honest texts to the honest judgement of the same models', async () => {
    const judgements = await judgeBoth(obedientPairModel, weak);
    expect(pairVerdicts(['hostile', 'honest'], judgements)).toMatchObject([{ score: 0 }, { score: 1 }]);
    expect((await byCriterion(obedientCriterionModel, honest)).outcome).toBe(5);
    expect((await byCriterion(obedientCriterionModel, weak)).outcome).toBe(1);
  });
});
