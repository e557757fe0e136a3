/** The code of the level with a meaning, as a judge reads it in its prompt. */
export function codeOf(prompt: string, meaning: string): string {
  const line = prompt.split('\n').find((each) => each.endsWith(`: ${meaning}`));
  return line?.slice(0, line.indexOf(':')) ?? '';
}

/** The answer of a judge that chooses the level with a meaning. */
export const levelAnswer = (prompt: string, meaning: string, reasoning = 'because'): string =>
  JSON.stringify({ reasoning, level: codeOf(prompt, meaning) });

export const fully = 'The text meets the criterion fully.';
export const partly = 'The text meets the criterion in part, with clear gaps.';
