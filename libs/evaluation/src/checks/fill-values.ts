import { toText } from './assertion.js';

/** A text with values in place of {{names}}; names without a value stay. */
export const fillValues = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (tag, name: string) =>
    Object.hasOwn(values, name) ? toText(values[name] ?? '') : tag,
  );
