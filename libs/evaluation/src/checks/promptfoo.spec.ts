import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Assertion } from './assertion.js';
import { checkTasks } from './check-tasks.js';

interface Verdict {
  assertions: Assertion[];
  output: string;
  threshold?: number;
  pass: boolean;
  score: number;
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, '../../test/promptfoo-verdicts.json'), 'utf8')) as {
  subject: { params: Record<string, unknown>; latencyMs: number; credits: number };
  verdicts: Verdict[];
};

/** Cases in which ours differs from promptfoo on purpose. */
const differences: readonly { why: string; is: (verdict: Verdict) => boolean }[] = [
  {
    why: 'lists are JSON too, and a brace in a quoted text does not end an object',
    is: ({ assertions, output }) => typeOf(assertions).endsWith('contains-json') && /^\[1, 2\]$|"}"/.test(output),
  },
  {
    why: 'the score of a negated score is 1 minus it',
    is: ({ assertions }) => typeOf(assertions) === 'not-javascript',
  },
  {
    why: 'an assertion that does not count has no score',
    is: ({ assertions }) => assertions.every(({ weight }) => weight === 0),
  },
  {
    why: 'what passes has a score',
    is: ({ assertions, output }) => typeOf(assertions) === 'is-refusal' && output === '',
  },
];
const typeOf = (assertions: readonly Assertion[]): string => assertions[0]?.type ?? '';

async function ours({ assertions, output, threshold }: Verdict): Promise<{ pass: boolean; score: number }> {
  const subject = { ...recorded.subject, output, expected: null };
  const [score] = await checkTasks.checkOutputs([{ check: { assertions, threshold }, subject }]);
  return { pass: score?.pass ?? false, score: score?.score ?? -1 };
}

describe('assertions mean what they mean in promptfoo', () => {
  const isDifferent = (verdict: Verdict): boolean => differences.some(({ is }) => is(verdict));
  const types = new Set(recorded.verdicts.map(({ assertions }) => typeOf(assertions)));

  it.each([...types])('%s', async (type) => {
    const same = recorded.verdicts.filter((each) => typeOf(each.assertions) === type && !isDifferent(each));
    for (const verdict of same) {
      const { pass, score } = await ours(verdict);
      expect({ ...verdict, pass, score: expect.closeTo(score, 3) }).toEqual(verdict);
    }
  });

  it('but for the differences that are listed here', async () => {
    for (const verdict of recorded.verdicts.filter(isDifferent)) {
      const { pass, score } = await ours(verdict);
      const isSame = pass === verdict.pass && Math.abs(score - verdict.score) < 1e-3;
      if (typeOf(verdict.assertions).endsWith('contains-json')) expect(isSame).toBe(false);
      else expect(pass).toBe(verdict.pass);
    }
  });
});
