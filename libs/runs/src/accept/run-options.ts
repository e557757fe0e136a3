import type { RunOptions } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { badInput } from '@lensforge/core';
import type { NewRun } from './insert-runs.js';

const longestDelayMs = 30 * 86_400_000;
const mostMetadataBytes = 8192;

type Options = Pick<
  NewRun,
  'timeoutMs' | 'queueMs' | 'tags' | 'metadata' | 'priority' | 'startAt' | 'delayMs' | 'creditLimit'
>;

/** What a run's options say for its row. `mostMs` is how long the platform lets a run execute. */
export function optionsOf(ctx: Context, options: RunOptions, mostMs: number): Options {
  const { tags = [], metadata, priority = 0, startAt, delaySeconds, expiresInSeconds, timeoutSeconds } = options;
  const { maxCredits } = options;
  refuse(ctx, options, mostMs);
  return {
    timeoutMs: timeoutSeconds === undefined ? mostMs : timeoutSeconds * 1000,
    queueMs: expiresInSeconds === undefined ? null : expiresInSeconds * 1000,
    tags: [...new Set(tags)],
    metadata: metadata ?? null,
    priority,
    startAt: startAt ?? null,
    delayMs: delaySeconds === undefined ? null : delaySeconds * 1000,
    creditLimit: maxCredits ?? null,
  };
}

function refuse(ctx: Context, options: RunOptions, mostMs: number): void {
  const { metadata, startAt, delaySeconds, timeoutSeconds } = options;
  const bytes = metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > mostMetadataBytes) {
    throw badInput('metadata', `has ${bytes} bytes as JSON; the limit is ${mostMetadataBytes}`);
  }
  if (startAt !== undefined && delaySeconds !== undefined) {
    throw badInput('', 'startAt and delaySeconds cannot be given together');
  }
  if (startAt !== undefined && Date.parse(startAt) - ctx.now().getTime() > longestDelayMs) {
    throw badInput('startAt', 'is more than 30 days ahead');
  }
  if (timeoutSeconds !== undefined && timeoutSeconds * 1000 > mostMs) {
    throw badInput('timeoutSeconds', `must be at most ${Math.floor(mostMs / 1000)}`);
  }
}

const names = [
  'tags',
  'metadata',
  'priority',
  'startAt',
  'delaySeconds',
  'expiresInSeconds',
  'timeoutSeconds',
  'maxCredits',
  'concurrencyKey',
  'concurrencyStrategy',
] as const satisfies readonly (keyof RunOptions)[];

/** Those options that a request has, for its fingerprint; undefined when it has none. */
export function givenOptions(options: RunOptions): Partial<RunOptions> | undefined {
  const given = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]] as const);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
