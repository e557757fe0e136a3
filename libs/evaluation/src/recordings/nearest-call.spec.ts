import { describe, expect, it } from '@jest/globals';
import { describeMiss } from './nearest-call.js';

describe('describeMiss', () => {
  it('names the first difference from the nearest call, of a long text the part around it', () => {
    const far = { model: 'a/b', prompt: 'Something else' };
    const near = { model: 'a/b', prompt: `${'One line.\n'.repeat(9)}Write a short note about the sea, and then stop.` };
    const asked = { ...near, prompt: near.prompt.replace('short', 'long') };
    const message = describeMiss(asked, [far, near]);
    expect(message).toMatch(
      /^the nearest recorded call differs first in prompt: in line 10 it has "….*short note.*, and the run asks "….*long note/,
    );
    expect(message.length).toBeLessThan(300);
  });

  it.each([
    [{ model: 'a/b', n: 1 }, { model: 'a/c', n: 1 }, 'model: in line 1 it has "a/c", and the run asks "a/b"'],
    [{ sampling: { seed: 2 } }, { sampling: { seed: 1 } }, 'sampling.seed: it has 1, and the run asks 2'],
    [{ prompt: 'x', tools: [] }, { prompt: 'x' }, 'tools: it has nothing, and the run asks []'],
  ])('names the member and both values: %j beside %j', (asked, recorded, difference) => {
    expect(describeMiss(asked, [recorded])).toBe(`the nearest recorded call differs first in ${difference}`);
  });

  it('says when there is nothing to compare with, and when only the place differs', () => {
    expect(describeMiss({ a: 1 }, [])).toBe('the recording has no call of this kind');
    expect(describeMiss({ a: 1 }, [{ a: 1 }])).toBe('the recording has the same call of another place or repetition');
  });
});
