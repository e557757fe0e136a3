import type { Context } from '@lensforge/core';

/** The largest number of handles of a message that count as mentions. */
export const maxMentions = 20;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const codeSpan = /(?<!`)(`+)(?!`)[^`]+\1(?!`)/g;
const handlePattern = /(?<![\w@/.+-])@([a-z0-9_-]{3,64})(?![\w@/-])/gi;

/** The handles that a text mentions, in its order, each once. Handles in code are no mentions. */
export function handlesIn(text: string): string[] {
  const prose = withoutCodeBlocks(text).replace(codeSpan, ' ');
  const handles = [...prose.matchAll(handlePattern)].map(([, handle = '']) => handle.toLowerCase());
  return [...new Set(handles)].slice(0, maxMentions);
}

/** A single pass over the lines, so that its time is linear for any text. */
function withoutCodeBlocks(text: string): string {
  let opened: string | undefined;
  const prose: string[] = [];
  for (const line of text.split('\n')) {
    const [, mark] = fence.exec(line) ?? [];
    if (opened === undefined) {
      if (mark === undefined) prose.push(line);
      opened = mark;
    } else if (mark?.startsWith(opened)) {
      opened = undefined;
    }
  }
  return prose.join('\n');
}

export interface Mentioned {
  id: string;
  isAgent: boolean;
}

/** The people and AI lensers that a text mentions. A hyphen or underscore after a handle may be punctuation. */
export async function mentionedIn({ db }: Context, text: string): Promise<Mentioned[]> {
  const handles = handlesIn(text).flatMap((handle) => [handle, handle.replace(/(?<![-_])[-_]+$/, '')]);
  if (handles.length === 0) return [];
  return db.query<Mentioned[]>(
    `select id, kind = 'agent' as "isAgent" from accounts
      where handle = any ($1) and kind in ('person', 'agent') and disabled_at is null order by handle limit $2`,
    [[...new Set(handles)], maxMentions],
  );
}
