import { InvalidInput, flag, integer, list, nestedKind, oneOf, parse, text } from '@lensforge/contracts';
import { OfflineStep } from './offline-script.js';
import { ProviderFault, type ProviderFaultKind, providerFaultKinds } from './provider.js';

/**
 * A directive to the offline provider, on a line of its own in the prompt:
 * `@offline {"delayMs":200,"pieces":10,"pieceDelayMs":50,"fail":"the model is tired"}`
 * The pieces come first, then the end: success, a failure, a hang or the exit of the process.
 */
export class OfflineDirective {
  @integer({ min: 0, max: 3_600_000, optional: true, description: 'Wait this long before the first piece.' })
  delayMs?: number;

  @integer({ min: 0, max: 100_000, optional: true, description: 'Answer this many numbered pieces, no echo.' })
  pieces?: number;

  @integer({ min: 0, max: 3_600_000, optional: true, description: 'Wait this long before each further piece.' })
  pieceDelayMs?: number;

  @text({ min: 1, max: 500, optional: true, description: 'Fail with this message.' })
  fail?: string;

  @oneOf(providerFaultKinds, { optional: true, description: 'The kind of the failure; broken when left out.' })
  failKind?: ProviderFaultKind;

  @integer({ min: 0, max: 1_000_000, optional: true, description: 'Report this much of the input as cached.' })
  cachedInput?: number;

  @flag({ optional: true, description: 'Never end.' })
  hang?: boolean;

  @flag({ optional: true, description: 'End the whole process; only where an operator has allowed it.' })
  exit?: boolean;

  @list(nestedKind(() => OfflineStep), {
    min: 1,
    max: 100,
    optional: true,
    description: 'The texts and tool calls of an agent, step by step.',
  })
  script?: OfflineStep[];
}

const line = /^@offline[ \t]+(\{[^\r\n]*)$/gm;

/** Removes the directives from a prompt; members of a later directive win. */
export function readDirective(prompt: string): { directive: OfflineDirective; rest: string } {
  const directive = new OfflineDirective();
  if (!prompt.includes('@offline')) return { directive, rest: prompt };
  const rest = prompt.replace(line, (_, json: string) => {
    Object.assign(directive, parseDirective(json));
    return '';
  });
  return { directive, rest: rest.trim() };
}

function parseDirective(json: string): OfflineDirective {
  try {
    return parse(OfflineDirective, JSON.parse(json));
  } catch (reason) {
    if (reason instanceof InvalidInput || reason instanceof SyntaxError) {
      throw new ProviderFault('refused', `a line @offline of the prompt cannot be followed: ${reason.message}`);
    }
    throw reason;
  }
}
