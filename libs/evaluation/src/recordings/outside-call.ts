import { createHash } from 'node:crypto';
import { toSortedJson, withoutSecrets } from '@lensforge/core';

export const callKinds = ['model', 'http', 'tool'] as const;
export type CallKind = (typeof callKinds)[number];

/** A call of a run to the outside. */
export interface OutsideCall {
  kind: CallKind;
  /** The node and step that make it, where the same request may have another answer at another place; else empty. */
  place: string;
  repetition: number;
  /** Everything else that decides the answer. */
  request: Readonly<Record<string, unknown>>;
}

/** SHA-256 in hex. */
export const keyOf = ({ kind, place, repetition, request }: OutsideCall): string =>
  createHash('sha256').update(toSortedJson({ kind, place, repetition, request })).digest('hex');

const secretName = /authorization|cookie|secret|token|password|api-?_?key|^key$|credential|signature/i;
const removed = '[removed]';

/** Keys of providers and platforms by their usual beginnings. */
const providerKeys = /\b(sk-|rk-|pk-|ghp_|gho_|github_pat_|xox[abprs]-|AKIA|AIza)[A-Za-z0-9_-]{16,}/g;

/** A copy without secrets: members with the name of one, and texts with the form of one. */
export function withoutSecretsOfCall(value: unknown): unknown {
  if (typeof value === 'string') return withoutSecrets(value).replace(providerKeys, `$1${removed}`);
  if (Array.isArray(value)) return value.map(withoutSecretsOfCall);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && secretName.test(name) ? removed : withoutSecretsOfCall(member),
    ]),
  );
}

/** An address with its secret parameters removed. */
export function withoutSecretsInUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.password !== '') parsed.password = 'removed';
  for (const name of [...parsed.searchParams.keys()]) {
    if (secretName.test(name)) parsed.searchParams.set(name, 'removed');
  }
  return parsed.href;
}
