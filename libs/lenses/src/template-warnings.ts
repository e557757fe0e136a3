import { estimateMaxTokens } from './estimate-tokens.js';
import type { LensInclude } from './include-tags.js';
import { ParsedTemplate } from './template.js';

/** Providers cache no prefixes below this. */
const minCachedTokens = 1024;
const minCharacters = 4096;

/** Advice about a template that works. */
export async function listTemplateWarnings(
  template: string,
  includes: readonly LensInclude[] | null = null,
): Promise<string[]> {
  const mayHaveOpenSection = /\[\[\s*[#^/]/.test(template);
  if (template.length < minCharacters && !mayHaveOpenSection && !includes) return [];
  const parsed = new ParsedTemplate(template, includes);
  return [...listOpenSections(parsed), ...(await listUncached(parsed))];
}

function listOpenSections({ params }: ParsedTemplate): string[] {
  return params.flatMap(({ label }) => {
    const [tag = ''] = label;
    const name = label.slice(1).trim();
    if (!'#^/'.includes(tag) || name === '') return [];
    const other = tag === '/' ? `[[#${name}]] before it` : `[[/${name}]] behind it`;
    return [`[[${label}]] is a parameter with this name and begins or ends no section, as there is no ${other}.`];
  });
}

/** Providers cache the beginning of prompts, up to the first value. */
async function listUncached({ pieces, params }: ParsedTemplate): Promise<string[]> {
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
