import { createHash } from 'node:crypto';
import { maxJudgedCharacters } from './judge-cost.js';

/** A text to put between fences, with a title such as FIRST TEXT. */
export interface FencedText {
  title: string;
  text: string;
}

/**
 * A token that occurs in none of the texts. It follows from the item and all texts, so a repeated request is the same, and the
 * author of a text cannot know it.
 */
export function absentToken(seed: string, texts: readonly string[], length = 24): string {
  const folded = texts.map((text) => visible(text).toUpperCase());
  const hash = createHash('sha256')
    .update(JSON.stringify([seed, ...texts]))
    .digest();
  for (let attempt = 0; ; attempt += 1) {
    const token = createHash('sha256')
      .update(hash)
      .update(String(attempt))
      .digest('hex')
      .toUpperCase()
      .slice(0, length);
    if (!folded.some((text) => text.includes(token))) return token;
  }
}

/** A text as quoted lines between two fences; no line of the text can be taken for a fence. */
export function fenced({ title, text }: FencedText, boundary: string): string {
  const lines = shortened(visible(text), boundary).split('\n');
  return [`<<<${boundary} ${title}`, ...lines.map((line) => `| ${line}`), `>>>${boundary}`].join('\n');
}

const hidden = /(?!\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cf}\p{Variation_Selector}]/gu;
const unreadable = /(?![\t\n])[\p{Cc}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/gu;

/**
 * Removes hidden characters, apart from joiners and selectors of scripts and emoji, and shows control characters by their
 * picture, others that cannot be read as U+FFFD.
 */
export function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(hidden, '').replace(unreadable, toPicture);
}

function toPicture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}

/** A text without its middle if it is longer than the limit. The mark has the boundary, so that a text cannot fake it. */
function shortened(text: string, boundary: string): string {
  const omitted = text.length - maxJudgedCharacters;
  if (omitted <= 0) return text;
  const half = maxJudgedCharacters / 2;
  const [start, end] = [text.slice(0, half).toWellFormed(), text.slice(-half).toWellFormed()];
  return `${start}\n[${boundary}: ${omitted} characters omitted]\n${end}`;
}
