import type { RunOptions } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import type { NewRun } from './insert-runs.js';

const maxDelayMs = 30 * 86_400_000;
const maxMetadataBytes = 8192;

type Options = Pick<
  NewRun,
  'timeoutMs' | 'queueMs' | 'tags' | 'metadata' | 'priority' | 'startAt' | 'delayMs' | 'creditLimit'
>;

/** Options of a request; internal requests may have undefined members. */
type Given = { [Name in keyof RunOptions]: RunOptions[Name] | undefined };

/** Converts the options of a request to columns of the run. `maxMs` is the longest execution that the platform allows. */
export function toOptionColumns(ctx: Context, options: Given, maxMs: number): Options {
  const { tags = [], metadata, priority = 0, startAt, delaySeconds, expiresInSeconds, timeoutSeconds } = options;
  const { maxCredits } = options;
  validate(ctx, options, maxMs);
  return {
    timeoutMs: timeoutSeconds === undefined ? maxMs : timeoutSeconds * 1000,
    queueMs: expiresInSeconds === undefined ? null : expiresInSeconds * 1000,
    tags: [...new Set(tags)],
    metadata: metadata ?? null,
    priority,
    startAt: startAt ?? null,
    delayMs: delaySeconds === undefined ? null : delaySeconds * 1000,
    creditLimit: maxCredits ?? null,
  };
}

function validate(ctx: Context, options: Given, maxMs: number): void {
  const { metadata, startAt, delaySeconds, timeoutSeconds } = options;
  const bytes = metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > maxMetadataBytes) {
    throw badInput('metadata', `has ${bytes} bytes as JSON; the limit is ${maxMetadataBytes}`);
  }
  if (startAt !== undefined && delaySeconds !== undefined) {
    throw badInput('', 'startAt and delaySeconds cannot be given together');
  }
  if (startAt !== undefined && Date.parse(startAt) - ctx.now().getTime() > maxDelayMs) {
    throw badInput('startAt', 'is more than 30 days ahead');
  }
  if (timeoutSeconds !== undefined && timeoutSeconds * 1000 > maxMs) {
    throw badInput('timeoutSeconds', `must be at most ${Math.floor(maxMs / 1000)}`);
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
  'stickyKey',
] as const satisfies readonly (keyof RunOptions)[];

/** Returns the options that are present in a request, for its fingerprint; undefined without any. */
export function givenOptions(options: Given): Partial<RunOptions> | undefined {
  const given = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]] as const);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
