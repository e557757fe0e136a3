import { isBlank } from './visible.js';

/** Features of a text that need no model; all but `words` are from 0 to 1. */
export interface TextFeatures {
  words: number;
  /** The share of the task's words that the text has, outside of copies; half of them is full. */
  relevance: number;
  /** The share of words outside of runs of 4 or more words copied from the task; 0.7 is full. */
  ownWords: number;
  /** The share of different runs of 3 words; 0.8 is full. */
  variety: number;
  /** The share of words in sentences or lines of 3 to 60 words; 0.7 is full. */
  sentences: number;
  /** 1 without control, hidden, private or broken characters; 0 from one in ten. */
  printable: number;
}

/** Characters behind this limit do not count. */
const maxCharacters = 100_000;

/** Scripts that are written without blanks, by character; others by word, in pieces of at most 30 characters. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]{1,30}/gu;

const sentenceEnd = /[.!?…。！？؟।\n]+/u;

/** Control, format, private and broken characters, apart from line breaks, tabs and the joiners of scripts and emoji. */
const unprintable = /[\uFFFD]|(?![\t\n\r\u200C\u200D])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

export const noFeatures: TextFeatures = { words: 0, relevance: 0, ownWords: 0, variety: 0, sentences: 0, printable: 0 };

/** Measures a text in linear time: 30 to 110 ms for 100,000 characters, so services use the sandbox. */
export function measureText(task: string, text: string): TextFeatures {
  if (isBlank(text)) return noFeatures;
  const read = text.slice(0, maxCharacters);
  const words = splitWords(read);
  const taskWords = splitWords(task.slice(0, maxCharacters));
  const copied = copiedWords(words, taskWords);
  const own = words.filter((_, index) => copied[index] === 0);
  return {
    words: words.length,
    relevance: full(coverage(taskWords, own), 0.5),
    ownWords: words.length === 0 ? 0 : full(own.length / words.length, 0.7),
    variety: full(measureVariety(words), 0.8),
    sentences: full(inSentences(read), 0.7),
    printable: Math.max(0, 1 - (10 * (read.match(unprintable)?.length ?? 0)) / read.length),
  };
}

const full = (share: number, enough: number): number => Math.min(1, share / enough);

const splitWords = (text: string): string[] => text.normalize('NFC').toLowerCase().match(word) ?? [];

const runLength = 4;

const runAt = (words: readonly string[], at: number, length: number): string => words.slice(at, at + length).join(' ');

/** 1 for each word in a run that the task has, too. */
function copiedWords(words: readonly string[], task: readonly string[]): Uint8Array {
  const runs = new Set<string>();
  for (let at = 0; at + runLength <= task.length; at += 1) runs.add(runAt(task, at, runLength));
  const copied = new Uint8Array(words.length);
  for (let at = 0; at + runLength <= words.length; at += 1) {
    if (runs.has(runAt(words, at, runLength))) copied.fill(1, at, at + runLength);
  }
  return copied;
}

/** Words of fewer letters mean little, except in scripts with a word for each character. */
const isContent = (each: string): boolean => each.length >= 4 || /[^\p{Script=Latin}\p{N}]/u.test(each);

/** The start of a word, in place of its stem. */
const toStem = (each: string): string => each.slice(0, 5);

function coverage(task: readonly string[], own: readonly string[]): number {
  const wanted = new Set(task.filter(isContent).map(toStem));
  if (wanted.size === 0) return 1;
  const present = new Set(own.map(toStem));
  return [...wanted].filter((each) => present.has(each)).length / wanted.size;
}

function measureVariety(words: readonly string[]): number {
  const length = Math.min(3, words.length);
  const runs = new Set<string>();
  for (let at = 0; at + length <= words.length; at += 1) runs.add(runAt(words, at, length));
  return words.length === 0 ? 0 : runs.size / (words.length - length + 1);
}

function inSentences(text: string): number {
  let all = 0;
  let inside = 0;
  for (const sentence of text.split(sentenceEnd)) {
    const length = sentence.match(word)?.length ?? 0;
    all += length;
    if (length >= 3 && length <= 60) inside += length;
  }
  return all === 0 ? 0 : inside / all;
}
