import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import { instanceOf } from './offline-json.js';
import { readDirective } from './offline-directive.js';
import type { OfflineDirective } from './offline-directive.js';
import type { Provider, ProviderPart, ProviderRequest } from './provider.js';
import { ProviderFault } from './provider.js';

export interface OfflineOptions {
  /** What a prompt that asks for the end of the process gets; nothing is ended when left out. */
  exit?: (() => never) | undefined;
}

const preface = 'Echo of the offline provider; no model was asked. The prompt was: ';

/** A word with the blanks behind it. Every alternative takes at least one character, so reading is linear. */
const piece = /\S{1,40}\s{0,40}|\s{1,40}/g;

const piecesOf = (text: string): string[] => text.match(piece) ?? [];

const longestTimer = 2 ** 31 - 1;

/** So many pieces in one go do not keep the process from its other work. */
const mostInOneGo = 500;

/**
 * Always there, needs no network, costs nothing, says the same each time: it gives the prompt back, word by word, or
 * where JSON is asked for the least that fits.
 */
export function offlineProvider({ exit }: OfflineOptions = {}): Provider {
  async function* stream(request: ProviderRequest, signal: AbortSignal): AsyncGenerator<ProviderPart> {
    const { directive, rest } = readDirective(request.prompt);
    if (directive.exit && !exit) throw new ProviderFault('refused', 'exit is not allowed on this platform');
    if (directive.delayMs) await pause(directive.delayMs, undefined, { signal });
    const input = piecesOf(rest);
    const answer = answerOf(directive, input, request.outputSchema).slice(0, request.maxOutputTokens);
    for (const [index, delta] of answer.entries()) {
      if (index > 0 && directive.pieceDelayMs) await pause(directive.pieceDelayMs, undefined, { signal });
      else if (index % mostInOneGo === mostInOneGo - 1) await breathe(undefined, { signal });
      yield { delta };
    }
    if (directive.exit) exit?.();
    if (directive.hang) await pause(longestTimer, undefined, { signal });
    if (directive.fail !== undefined) throw new ProviderFault(directive.failKind ?? 'broken', directive.fail);
    yield { usage: { input: input.length, output: answer.length } };
  }
  return { key: 'offline', limitless: true, stream };
}

function answerOf(
  { pieces, fail, hang, exit }: OfflineDirective,
  input: readonly string[],
  schema: ProviderRequest['outputSchema'],
): string[] {
  if (pieces !== undefined) return Array.from({ length: pieces }, (_, index) => `piece ${index + 1} `);
  if (fail !== undefined || hang || exit) return [];
  return schema ? piecesOf(JSON.stringify(instanceOf(schema), null, 1)) : [...piecesOf(preface), ...input];
}
