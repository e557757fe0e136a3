import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let words: ReadonlySet<string> | undefined;

/** Reads the words at the first check, because most services never check a password: names, places and everyday words. */
function listed(): ReadonlySet<string> {
  if (words) return words;
  const whole = readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .trim()
    .split(/\s+/);
  // Many systems once kept only the first eight letters, so these forms are common too.
  words = new Set([...whole, ...whole.map((word) => word.slice(0, 8))]);
  return words;
}

/**
 * True for a password that attackers try first. The comparison ignores case, reads digits and signs as letters (p@ssw0rd),
 * strips up to six digits and signs at the ends (Summer2026!), and finds doubled words.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  if (new Set(folded).size === 1 || isDate(folded) || isWalk(folded)) return true;
  const unit = repeatedUnit(folded);
  if (unit !== undefined && (unit.length <= 4 || isListed(unit))) return true;
  return listCores(folded).some(isListed);
}

const isListed = (core: string): boolean => listSpellings(core).some((spelling) => listed().has(spelling));

const maxStripped = 6;

/** Strips none, some or all of the digits and signs at the ends. */
function listCores(password: string): string[] {
  const [before = ''] = /^\P{L}*/u.exec(password) ?? [];
  const [after = ''] = /(?<!\P{L})\P{L}*$/u.exec(password) ?? [];
  const cores: string[] = [];
  for (let first = 0; first <= Math.min(before.length, maxStripped); first += 1) {
    for (let last = 0; last + first <= maxStripped && last <= after.length; last += 1) {
      const core = password.slice(first, password.length - last);
      if (core.length >= 3) cores.push(core);
    }
  }
  return cores;
}

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '€': 'e',
  '+': 't',
  '(': 'c',
};

/** Returns the word, and the word with `1`, `!` and `|` read as i and as l. */
function listSpellings(core: string): string[] {
  const plain = [...core].map((sign) => letters[sign] ?? sign).join('');
  return [core, plain.replace(/[1!|]/g, 'i'), plain.replace(/[1!|]/g, 'l')];
}

/** Finds `asdf` in `asdfasdf`; letters and digits only. */
const repeatedUnit = (password: string): string | undefined => /^([a-z0-9]{1,20}?)\1+$/.exec(password)?.[1];

const year = /^(19|20)\d\d$/;

/** True for eight digits that form a date in one of the usual orders. */
function isDate(password: string): boolean {
  if (!/^\d{8}$/.test(password)) return false;
  const [head, tail] = [password.slice(0, 4), password.slice(4)];
  return (year.test(head) && isDay(tail)) || (year.test(tail) && isDay(head));
}

function isDay(digits: string): boolean {
  const [one, other] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  const fits = (day: number, month: number): boolean => day >= 1 && day <= 31 && month >= 1 && month <= 12;
  return fits(one, other) || fits(other, one);
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  '!@#$%^&*()_+',
  '!"§$%&/()=',
  'qwertyuiop[]',
  'qwertzuiopü',
  'azertyuiop',
  "asdfghjkl;'",
  'asdfghjklöä',
  'qsdfghjklm',
  'zxcvbnm,./',
  'yxcvbnm,.-',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  '1qay2wsx3edc4rfv5tgb6zhn7ujm8ik,9ol.0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  'qaywsxedcrfvtgbzhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  '1q2w3e4r5t6z7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1s2d3f4g5h6j7k8l9',
  '1a2b3c4d5e6f7g8h9i0j',
  'a1b2c3d4e5f6g7h8i9j0',
  '789456123',
  '147896325',
  '123698745',
  '1029384756',
  '10203040506070809',
  '13243546576879',
  '147258369',
  '159753',
  '741852963',
  '963852741',
];
const walks = rows.flatMap((row) => [row, [...row].reverse().join('')]);

const minStepLength = 3;
const maxSteps = 4;

/**
 * True for up to four sequences of neighbouring keys, alphabet letters, counted digits or one repeated sign. Digits may have
 * one or two letters at an end (123456789a).
 */
function isWalk(password: string): boolean {
  const [, digits = ''] = /^(?:[a-z]{0,2})(\d{6,})(?:[a-z]{0,2})$/.exec(password) ?? [];
  return isSteps(password) || (digits !== '' && isSteps(digits));
}

function isSteps(text: string): boolean {
  let rest = text;
  for (let steps = 0; steps < maxSteps && rest !== ''; steps += 1) {
    const length = maxStep(rest);
    if (length < minStepLength) return false;
    rest = rest.slice(length);
  }
  return rest === '';
}

function maxStep(text: string): number {
  const [run = ''] = /^(.)\1*/su.exec(text) ?? [];
  // 11223344 and aabbcc
  const [pairs = ''] = /^(?:([a-z0-9])\1){2,}/.exec(text) ?? [];
  let longest = Math.max(run.length, pairs.length);
  while (longest < text.length && walks.some((walk) => walk.includes(text.slice(0, longest + 1)))) longest += 1;
  return longest;
}
