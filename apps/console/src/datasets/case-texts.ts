import { datasetsTexts } from '../view-texts/datasets';

/** The parameters of a case as a person writes them. */
export function readParams(text: string): Record<string, unknown> {
  const value = parse(text);
  if (value === undefined || value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error(datasetsTexts.notAnObject);
  }
  return value as Record<string, unknown>;
}

/** The expected answer: JSON objects, lists and quoted texts as such, nothing as null, anything else as a text. */
export function readExpected(text: string): unknown {
  if (text === '') return null;
  const value = /^[[{"]/.test(text) ? parse(text) : undefined;
  return value ?? text;
}

/** The text of an expected answer that `readExpected` reads as the same. */
export function writeExpected(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' && value !== '' && value === value.trim() && !/^[[{"]/.test(value)) return value;
  return JSON.stringify(value, null, typeof value === 'object' ? 2 : 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
