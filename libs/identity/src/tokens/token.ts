import { hash, randomBytes } from 'node:crypto';

export const tokenKinds = ['mcp', 'developer', 'organisation', 'service'] as const;
export type TokenKind = (typeof tokenKinds)[number];

const marks: Record<TokenKind, string> = { mcp: 'mcp', developer: 'dev', organisation: 'org', service: 'svc' };
const kindOfMark = new Map(tokenKinds.map((kind) => [marks[kind], kind]));
const form = /^lf_(mcp|dev|org|svc)_[0-9a-f]{64}$/;

const prefixLength = 12;

export interface NewToken {
  /** Returned once and not stored. */
  value: string;
  hash: Buffer;
  prefix: string;
}

export function makeToken(kind: TokenKind): NewToken {
  return toNewToken(`lf_${marks[kind]}_${randomBytes(32).toString('hex')}`);
}

/** The stored members of a token. */
export function toNewToken(value: string): NewToken {
  return { value, hash: hashToken(value), prefix: value.slice(0, prefixLength) };
}

/** Hashes a token. 256 random bits need no slow hash, and a fast one allows a look-up by the hash. */
export const hashToken = (value: string): Buffer => hash('sha256', value, 'buffer');

/** The token kind that the form of a text claims; undefined when it is no token. */
export function detectTokenKind(text: string): TokenKind | undefined {
  const [, mark] = form.exec(text) ?? [];
  return mark === undefined ? undefined : kindOfMark.get(mark);
}
