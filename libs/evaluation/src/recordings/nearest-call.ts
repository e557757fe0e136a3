import { quote } from '../checks/assertion.js';

// The recorded call that is the nearest to one that is not recorded, and the first place where they differ.

type Request = Readonly<Record<string, unknown>>;

interface Difference {
  path: string;
  recorded: unknown;
  asked: unknown;
}

/** The differences of two values by their paths, in the order of the names of members. */
function* differences(recorded: unknown, asked: unknown, path = ''): Generator<Difference> {
  if (recorded === asked) return;
  if (isObject(recorded) && isObject(asked) && Array.isArray(recorded) === Array.isArray(asked)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(asked)])].sort();
    for (const name of names) {
      yield* differences(recorded[name], asked[name], path === '' ? name : `${path}.${name}`);
    }
    return;
  }
  yield { path, recorded, asked };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** How far a call is from another one: the number of differences, less what texts share at their beginning. */
function distance(recorded: Request, asked: Request): number {
  let sum = 0;
  for (const each of differences(recorded, asked)) {
    const { recorded: one, asked: other } = each;
    sum += typeof one === 'string' && typeof other === 'string' ? 1 - shared(one, other) : 1;
  }
  return sum;
}

/** The share of a text that is the same from its beginning. */
const shared = (one: string, other: string): number => commonLength(one, other) / Math.max(one.length, other.length, 1);

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

/** A sentence about the nearest of the recorded calls and its first difference from the one that was asked. */
export function describeMiss(asked: Request, recorded: readonly Request[]): string {
  const [nearest] = recorded
    .map((request) => ({ request, far: distance(request, asked) }))
    .sort((one, other) => one.far - other.far);
  if (!nearest) return 'the recording has no call of this kind';
  const first = differences(nearest.request, asked).next().value as Difference | undefined;
  if (!first) return 'the recording has the same call of another place or repetition';
  return `the nearest recorded call differs first in ${first.path || 'the request'}: ${excerpts(first)}`;
}

const before = 30;
const after = 50;

/** Both values, of long texts the part with the first difference. */
function excerpts({ recorded, asked }: Difference): string {
  if (typeof recorded !== 'string' || typeof asked !== 'string') {
    return `it has ${quote(recorded)}, and the run asks ${quote(asked)}`;
  }
  const at = commonLength(recorded, asked);
  const line = recorded.slice(0, at).split('\n').length;
  const part = (text: string): string => {
    const from = Math.max(0, at - before);
    const excerpt = text.slice(from, at + after).toWellFormed();
    return JSON.stringify(`${from > 0 ? '…' : ''}${excerpt}${at + after < text.length ? '…' : ''}`);
  };
  return `in line ${line} it has ${part(recorded)}, and the run asks ${part(asked)}`;
}
