import { setImmediate as yieldToEventLoop, setTimeout as pause } from 'node:timers/promises';
import { decisionOn, echoPreface } from './offline-answer.js';
import { embedOffline } from './offline-embedding.js';
import { generateInstance } from './offline-json.js';
import { type OfflineDirective, readDirective } from './offline-directive.js';
import { scriptedStep } from './offline-script.js';
import { type Provider, ProviderFault, type ProviderPart, type ProviderRequest } from './provider.js';

export interface OfflineOptions {
  /** Called for the directive `exit`; without it the directive is refused. */
  exit?: (() => never) | undefined;
}

/** A word with the blanks behind it. Every alternative matches at least one character, so matching is linear. */
const piece = /\S{1,40}\s{0,40}|\s{1,40}/g;

const splitPieces = (text: string): string[] => text.match(piece) ?? [];

const maxTimer = 2 ** 31 - 1;

/** After this many pieces the provider yields to the event loop. */
const piecesPerTick = 500;

/**
 * A deterministic provider without network and cost: it decides where the prompt asks for a verdict or for one of several
 * options, answers with JSON where a schema is requested, and echoes any other prompt word by word.
 */
export function offlineProvider({ exit }: OfflineOptions = {}): Provider {
  async function* stream(request: ProviderRequest, signal: AbortSignal): AsyncGenerator<ProviderPart> {
    const { directive, rest } = directiveIn(request);
    if (directive.exit && !exit) throw new ProviderFault('refused', 'exit is not allowed on this platform');
    if (directive.delayMs) await pause(directive.delayMs, undefined, { signal });
    const input = splitPieces(rest);
    const step = scriptedStep(directive.script, request.messages ?? []);
    if (step?.delayMs) await pause(step.delayMs, undefined, { signal });
    const said = step ? splitPieces(step.say) : writeAnswer(directive, rest, request.outputSchema);
    const answer = said.slice(0, request.maxOutputTokens);
    for (const [index, delta] of answer.entries()) {
      if (index > 0 && directive.pieceDelayMs) await pause(directive.pieceDelayMs, undefined, { signal });
      else if (index % piecesPerTick === piecesPerTick - 1) await yieldToEventLoop(undefined, { signal });
      yield { delta };
    }
    for (const toolCall of step?.toolCalls ?? []) {
      const { id, name } = toolCall;
      for (const text of splitPieces(JSON.stringify(toolCall.input))) {
        if (directive.pieceDelayMs) await pause(directive.pieceDelayMs, undefined, { signal });
        yield { toolInput: { id, name, text } };
      }
      yield { toolCall };
    }
    if (directive.exit) exit?.();
    if (directive.hang) await pause(maxTimer, undefined, { signal });
    if (directive.fail !== undefined) throw new ProviderFault(directive.failKind ?? 'broken', directive.fail);
    yield { finishReason: answer.length < said.length ? 'length' : step?.toolCalls.length ? 'tool_calls' : 'stop' };
    const cachedInput = Math.min(directive.cachedInput ?? 0, input.length);
    yield { usage: { input: input.length, output: answer.length, ...(cachedInput > 0 && { cachedInput }) } };
  }
  return {
    key: 'offline',
    limitless: true,
    stream,
    embed: async ({ texts, dimensions }) => ({
      vectors: texts.map((text) => embedOffline(text, dimensions)),
      tokens: texts.reduce((sum, text) => sum + splitPieces(text).length, 0),
    }),
  };
}

/** Directives are read from the instructions and the prompt only, since what follows may be data of strangers. */
function directiveIn({ system, prompt }: ProviderRequest): ReturnType<typeof readDirective> {
  const ofSystem = readDirective(system ?? '').directive;
  const { directive, rest } = readDirective(prompt);
  return { directive: Object.assign(ofSystem, directive), rest };
}

function writeAnswer(
  { pieces, fail, hang, exit }: OfflineDirective,
  prompt: string,
  schema: ProviderRequest['outputSchema'],
): string[] {
  if (pieces !== undefined) return Array.from({ length: pieces }, (_, index) => `piece ${index + 1} `);
  if (fail !== undefined || hang || exit) return [];
  if (schema) return splitPieces(JSON.stringify(generateInstance(schema, { prompt, name: '' }), null, 1));
  return splitPieces(decisionOn(prompt) ?? `${echoPreface}${prompt}`);
}
