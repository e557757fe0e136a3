import type { Context } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import { resolveTemplate, templateOfVersion } from '@lensforge/lenses';
import type { Providers, TokenUsage } from '../providers/provider.js';
import type { Attempt } from './attempt.js';
import type { DeltaStream } from './deltas.js';
import { RunFailure, failureOfProvider } from './run-failure.js';

export interface LensParts {
  db: Context['db'];
  providers: Providers;
}

export interface Product {
  text: string;
  usage: TokenUsage;
}

/** The node id under which a lens run tells its output. */
export const lensNode = 'lens';

const mostCharacters = 2_000_000;
const charactersPerToken = 4;

/** Executes a lens: its pinned text with the run's parameters goes to the provider, the answer comes back in pieces. */
export async function executeLens(
  { db, providers }: LensParts,
  attempt: Attempt,
  deltas: DeltaStream,
): Promise<Product> {
  const { run } = attempt;
  if (run.lensVersionId === null)
    throw new RunFailure('INTERNAL', 'The run does not say which version of its lens it is for');
  const { lensVersionId } = run;
  const template = await rideOut(() => templateOfVersion(db, lensVersionId));
  const resolved = resolveTemplate(template, run.params);
  if ('missing' in resolved) {
    throw new RunFailure('MISSING_PARAMS', `params: required and not given: ${resolved.missing.join(', ')}`);
  }
  const provider = providers.get(run.providerKey);
  if (!provider) throw new RunFailure('PROVIDER_UNKNOWN', `This platform has no provider ${run.providerKey}`);
  const { prompt } = resolved;
  const request = {
    model: run.modelKey,
    prompt,
    maxOutputTokens: run.maxOutputTokens,
    idempotencyKey: `${run.id}:${lensNode}`,
  };

  const storable = storableText();
  let text = '';
  let usage: TokenUsage | undefined;
  attempt.refuseWhenStale();
  try {
    for await (const part of provider.stream(request, attempt.signal)) {
      if (attempt.signal.aborted) break;
      if ('usage' in part) {
        usage = part.usage;
        continue;
      }
      const delta = storable(part.delta);
      text += delta;
      deltas.add(delta);
      if (text.length > mostCharacters)
        throw new RunFailure('OUTPUT_TOO_LARGE', `The answer is longer than ${mostCharacters} characters`);
    }
  } catch (reason) {
    attempt.signal.throwIfAborted();
    throw reason instanceof RunFailure ? reason : failureOfProvider(provider.key, reason);
  }
  attempt.signal.throwIfAborted();
  return { text, usage: usage ?? { input: estimate(prompt), output: estimate(text) } };
}

const estimate = (text: string): number => Math.ceil(text.length / charactersPerToken);

/** Postgres keeps neither NUL nor half a surrogate pair; a pair may arrive in two pieces. */
function storableText(): (piece: string) => string {
  let half = '';
  return (piece) => {
    let text = half + piece;
    half = halfPair.exec(text)?.[0] ?? '';
    if (half) text = text.slice(0, -1);
    return text.toWellFormed().replaceAll('\0', '\uFFFD');
  };
}

const halfPair = /[\uD800-\uDBFF]$/;
