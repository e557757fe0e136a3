/** Names of the covariates of texts. */
export const TEXT_COVARIATES = ['length', 'format'] as const;

/** Starts of Markdown headings, list items, tables and fenced code. */
const BLOCK = /^ {0,3}(#{1,6} |[-*+] |\d{1,9}[.)] |\||```|~~~)/;
const BOLD = /\*\*[^*\n]{1,200}\*\*/g;

/**
 * `length` is ln(1 + characters), so that its difference for two texts is their log length ratio. `format` is ln(1 + Markdown
 * headings, list items, table rows, code fences and bold phrases).
 */
export function textCovariates(text: string): Record<(typeof TEXT_COVARIATES)[number], number> {
  let characters = 0;
  for (const _ of text) characters += 1;
  let marks = 0;
  for (const line of text.split('\n')) {
    if (BLOCK.test(line)) marks += 1;
    marks += line.match(BOLD)?.length ?? 0;
  }
  return { length: Math.log1p(characters), format: Math.log1p(marks) };
}
