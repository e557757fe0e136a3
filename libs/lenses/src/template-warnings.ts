import { estimateMaxTokens } from './estimate-tokens.js';
import { ParsedTemplate } from './template.js';

/** Providers cache no prefixes below this. */
const minCachedTokens = 1024;
const minCharacters = 4096;

/** Advice about a template that works. Providers cache the beginning of prompts, up to the first value. */
export async function listTemplateWarnings(template: string): Promise<string[]> {
  if (template.length < minCharacters) return [];
  const { pieces, params } = new ParsedTemplate(template);
  const [param] = params;
  const first = pieces.findIndex((piece) => typeof piece !== 'string');
  const textOf = (some: typeof pieces): string => some.filter((piece) => typeof piece === 'string').join('');
  const behind = textOf(pieces.slice(first));
  if (!param || behind.length < minCharacters) return [];
  const [at, fixed] = await Promise.all([estimateMaxTokens(textOf(pieces.slice(0, first))), estimateMaxTokens(behind)]);
  if (fixed < minCachedTokens) return [];
  return [
    `[[${param.label}]] at token ${at} ends the part of the prompt that providers can cache. The about ${fixed} tokens of ` +
      'fixed text behind it cost the full price in each run: put fixed text before the first parameter.',
  ];
}
