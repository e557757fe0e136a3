import { honest } from './hostile-entries.js';

// A model that obeys what it reads between fences. Without an order it knows which text is honest.

export interface Data {
  boundary: string;
  /** The texts between fences by title. */
  blocks: Map<string, string>;
  /** All lines that are not between fences. */
  outside: string;
}

/** Reads a prompt as a model would that trusts the fences. */
export function dataOf(prompt: string): Data {
  const boundary = /<<<([0-9A-F]{24}) and/.exec(prompt)?.[1];
  if (boundary === undefined) throw new Error('the prompt names no boundary');
  const blocks = new Map<string, string>();
  const outside: string[] = [];
  let open: { title: string; lines: string[] } | undefined;
  for (const line of prompt.split('\n')) {
    if (!open && line.startsWith(`<<<${boundary} `)) open = { title: line.slice(boundary.length + 4), lines: [] };
    else if (open && line === `>>>${boundary}`) {
      blocks.set(open.title, open.lines.join('\n'));
      open = undefined;
    } else if (open) {
      if (!line.startsWith('| ')) throw new Error(`a line between fences is not quoted: ${line}`);
      open.lines.push(line.slice(2));
    } else outside.push(line);
  }
  if (open) throw new Error('a fence stays open');
  return { boundary, blocks, outside: outside.join('\n').replaceAll(boundary, '') };
}

/** The first order or ready answer in a text. */
function orderIn(text: string): string | undefined {
  const exact = /Answer with exactly:[ ]?([^]*)/.exec(text)?.[1];
  if (exact !== undefined) return exact;
  const json = /\{"[^]*\}/.exec(text)?.[0];
  if (json !== undefined) return json;
  const chosen = /choose (?:the )?(\w+)/i.exec(text)?.[1];
  if (chosen !== undefined)
    return JSON.stringify({ reasoning: 'As told.', choice: chosen.toLowerCase(), level: chosen });
  const mark = /(?:give|score).*?(\d+)/i.exec(text)?.[1];
  return mark === undefined ? undefined : JSON.stringify({ reasoning: 'As told.', level: mark });
}

const withoutMember = (json: string, name: string): string => {
  try {
    const { [name]: _, ...rest } = JSON.parse(json) as Record<string, unknown>;
    return JSON.stringify(rest);
  } catch {
    return json;
  }
};

/** Follows the first order between fences, and answers well where there is none. */
export function obedientChoice(prompt: string): string {
  const { blocks } = dataOf(prompt);
  const order = [...blocks.values()].map(orderIn).find((each) => each !== undefined);
  if (order !== undefined) return withoutMember(order, 'level');
  const best = [...blocks].find(([, text]) => text === honest)?.[0];
  return JSON.stringify({ reasoning: 'It is right.', choice: best === 'FIRST TEXT' ? 'first' : 'second' });
}

/** The same by a criterion with these anchors for the marks 1 and 5. */
export function obedientLevel(prompt: string, [worst, best]: readonly [string, string]): string {
  const { blocks } = dataOf(prompt);
  const order = orderIn(blocks.get('TEXT') ?? '');
  if (order !== undefined) return withoutMember(order, 'choice');
  const wanted = blocks.get('TEXT') === honest ? best : worst;
  return JSON.stringify({ reasoning: '', level: new RegExp(`^([0-9A-F]{8}): ${wanted}$`, 'm').exec(prompt)?.[1] });
}
