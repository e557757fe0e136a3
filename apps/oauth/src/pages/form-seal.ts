import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@lensforge/core';
import type { KeyRing } from '@lensforge/vault';

/** The purpose of a form; its token is valid for no other. */
export interface FormPurpose {
  form: string;
  /** Values that must be submitted unchanged. */
  bound?: readonly (readonly [name: string, value: string])[];
}

/** The owner of a form: a session, or the browser with the cookie of its visit. */
export interface FormOwner {
  sessionId: string | undefined;
  visitId: string;
  /** The request had the cookie of the visit. */
  returning: boolean;
}

export type SealFault = 'missing' | 'cookieless' | 'old' | 'foreign';

const lifetimeMs = 30 * 60_000;
const form = /^(\d{1,10})\.(\d{13})\.([sv])\.([\w-]{22})\.([\w-]{43})$/;

/** Signs and verifies the CSRF token of forms, which is bound to a session or visit cookie. */
export class FormSeal {
  private readonly keys = new Map<number, Buffer>();

  constructor(
    private readonly ring: KeyRing,
    private readonly now: Clock,
  ) {}

  seal(place: FormPurpose, owner: FormOwner): string {
    const version = this.ring.newest;
    const expires = String(this.now().getTime() + lifetimeMs);
    const kind = getOwnerKind(owner);
    const head = [version, expires, kind, ownerMark(kind, owner)].join('.');
    return `${head}.${this.sign(version, head, place)}`;
  }

  findSealFault(sealed: string | undefined, place: FormPurpose, owner: FormOwner): SealFault | undefined {
    if (!sealed) return 'missing';
    if (owner.sessionId === undefined && !owner.returning) return 'cookieless';
    const [, version, expires, kind, mark, signature] = form.exec(sealed) ?? [];
    if (!version || !expires || !kind || !mark || !signature) return 'foreign';
    const expected = this.sign(Number(version), [version, expires, kind, mark].join('.'), place);
    if (!expected || !isSame(signature, expected) || !isOwner(kind, mark, owner)) return 'foreign';
    return Number(expires) < this.now().getTime() ? 'old' : undefined;
  }

  private sign(version: number, head: string, { form: name, bound = [] }: FormPurpose): string {
    const key = this.deriveKey(version);
    if (!key) return '';
    return createHmac('sha256', key)
      .update(JSON.stringify([head, name, [...bound].sort(byNameAndValue)]))
      .digest('base64url');
  }

  private deriveKey(version: number): Buffer | undefined {
    const known = this.keys.get(version);
    const master = this.ring.key(version);
    if (known || !master) return known;
    const key = Buffer.from(hkdfSync('sha256', master, '', 'lensforge sign-in forms', 32));
    this.keys.set(version, key);
    return key;
  }
}

const getOwnerKind = ({ sessionId }: FormOwner): 's' | 'v' => (sessionId === undefined ? 'v' : 's');

/** Refuses forms from before a sign-in or sign-out. */
const isOwner = (kind: string, mark: string, owner: FormOwner): boolean =>
  kind === getOwnerKind(owner) && isSame(mark, ownerMark(kind, owner));

const ownerMark = (kind: string, { sessionId, visitId }: FormOwner): string =>
  createHash('sha256')
    .update(kind === 's' ? `session ${sessionId ?? ''}` : `visit ${visitId}`)
    .digest('base64url')
    .slice(0, 22);

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

type Pair = readonly [string, string];
const byNameAndValue = (one: Pair, other: Pair): number => {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  return left < right ? -1 : left > right ? 1 : 0;
};

export const newVisitId = (): string => randomBytes(16).toString('base64url');
