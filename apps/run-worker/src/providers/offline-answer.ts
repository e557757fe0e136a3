// Answers of the offline provider to prompts that ask for a decision. They depend on the prompt alone.

/** Opens each echo, so that a text shows how often the offline provider has written it. */
export const echoPreface = 'Echo of the offline provider; no model was asked. The prompt was: ';

const label = 'offline answer; no model was asked';
const enoughWords = 60;

/**
 * The verdict on a text within a prompt: good once the offline provider has revised it, and a text of others from 60 words
 * on. Loops of drafts and verdicts therefore end in their second round.
 */
export function isGood(prompt: string): boolean {
  const echoes = prompt.split(echoPreface).length - 1;
  return echoes > 1 || (echoes === 0 && (prompt.match(/\S+/g)?.length ?? 0) >= enoughWords);
}

/** Such as "Answer GOOD when it needs no more work, else say what to change". */
const verdict =
  /\b(?:answer|reply|respond|say|write)(?: with| only)?:? ["'`]?([A-Z]{2,20})["'`]? (?:when|if|once)\b[^\n]{0,300}?\b(?:else|otherwise|if not)\b/i;

/** Such as "Answer with exactly one of: billing, support or sales." or "Answer yes or no". */
const asked = String.raw`\b(?:answer|reply|respond|classify|choose|pick|return|label)\b[^.:\n]{0,80}?`;
const options = String.raw`(?:(?: \w{1,20}){0,3}:)? ([^.:;\n]{3,400})`;
const lists = ['one of|either', 'as|only'].map((words) => new RegExp(`${asked}\\b(?:${words})${options}`, 'i'));
const yesOrNo = /\b(?:answer|reply|respond)(?: with| only| just)*:? ["'`]?(yes)["'`]? or ["'`]?(no)\b/i;

const isShort = /^\S+(?: \S+){0,2}$/;
const separators = /,? (?:or|and) |, ?| ?\| ?|\//;

function optionsIn(prompt: string): { options: string[]; place: string } | undefined {
  const [place = '', ...both] = yesOrNo.exec(prompt) ?? [];
  if (both.length > 0) return { options: both, place };
  for (const form of lists) {
    const [whole = '', list] = form.exec(prompt) ?? [];
    const found = (list ?? '').split(separators).map((option) => option.replaceAll(/^["'`(\s]+|["'`)\s]+$/g, ''));
    if (found.length > 1 && found.every((option) => isShort.test(option))) return { options: found, place: whole };
  }
  return undefined;
}

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** The option whose words are most frequent in the text; the first of equal ones. */
export function likeliest<Option>(options: readonly Option[], text: string): Option | undefined {
  const counts = new Map<string, number>();
  for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const scoreOption = (option: Option): number =>
    splitWords(String(option)).reduce((sum, word) => sum + (counts.get(word) ?? 0), 0);
  const best = Math.max(...options.map(scoreOption));
  return options.find((option) => scoreOption(option) === best);
}

/** The answer to a prompt that asks for a verdict or for one of several options; undefined for any other prompt. */
export function decisionOn(prompt: string): string | undefined {
  const [, word] = verdict.exec(prompt) ?? [];
  if (word === word?.toUpperCase() && word) {
    return isGood(prompt)
      ? `${word} (${label})`
      : `Change this (${label}): give one example, and end with what the reader can do next.`;
  }
  const found = optionsIn(prompt);
  if (!found) return undefined;
  const chosen = likeliest(found.options, prompt.replace(found.place, '')) ?? '';
  return /\b(?:only|exactly|nothing else|just|one word)\b/i.test(prompt) ? chosen : `${chosen} (${label})`;
}
