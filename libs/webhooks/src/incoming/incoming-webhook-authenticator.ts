import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { grants } from '@lensforge/contracts';
import { type Actor, type Authority, isUuid, newId } from '@lensforge/core';
import { type KeyRing, SealBroken } from '@lensforge/vault';
import type { EntityManager } from 'typeorm';
import type { CallVia } from './incoming-call.entity.js';
import {
  type MadeSecret,
  type SecretOwner,
  digestSecret,
  makeIncomingSecret,
  openIncomingSecret,
} from './incoming-secrets.js';

/** The largest difference between the timestamp of a call and the time of the database. */
export const REPLAY_WINDOW_SECONDS = 300;

/** The proofs of identity that a call carries. */
export interface IncomingProof {
  body: Buffer;
  secret?: string | undefined;
  /** Each `sha256=<hex>`; one valid signature is enough. */
  signatures: readonly string[];
  /** The timestamp header as sent, in seconds since 1970. The signature covers it. */
  timestamp?: string | undefined;
  /** The actor of the call's bearer token. */
  actor?: Actor | undefined;
}

export interface AuthenticatedWebhook {
  id: string;
  accountId: string;
  workflowId: string;
  /** The stored authority, with the credit limit that its token has now. */
  authority: Authority | null;
  /** Undefined when the call does not authenticate or the webhook is suspended; the response must not reveal that the webhook exists. */
  via: CallVia | undefined;
}

interface Row {
  id: string | null;
  accountId: string;
  workflowId: string;
  authority: Authority | null;
  disabled: boolean;
  secret: Buffer;
  digest: Buffer;
  previousSecret: Buffer | null;
  previousDigest: Buffer | null;
  epoch: number;
}

const findWebhook = `
  select w.id, w.account_id as "accountId", w.workflow_id as "workflowId", w.secret, w.secret_digest as digest,
         case when w.previous_until > now() then w.previous_secret end as "previousSecret",
         case when w.previous_until > now() then w.previous_digest end as "previousDigest",
         w.disabled_at is not null or w.suspended_at is not null or a.disabled_at is not null or u.disabled_at is not null
           as disabled,
         current_authority(w.authority) as authority,
         extract(epoch from now())::float8 as epoch
    from (select 1) as always
    left join incoming_webhooks w on w.id = $1 and w.removed_at is null
    left join accounts a on a.id = w.account_id
    left join users u on u.id = w.created_by`;

interface Candidate {
  owner: SecretOwner;
  sealed: Buffer;
  digest: Buffer;
  isReal: boolean;
}

/**
 * Finds a webhook and authenticates a call of it. A dummy secret makes the check take equally long when the webhook does
 * not exist or has no previous secret.
 */
export class IncomingWebhookAuthenticator {
  private readonly dummy: Candidate;

  constructor(
    private readonly ring: KeyRing,
    /** Called for a secret that was altered or sealed with a missing key. The call is refused. */
    private readonly onBroken: (fault: SealBroken) => void,
  ) {
    const owner = { id: newId(), accountId: newId() };
    const { sealed, digest }: MadeSecret = makeIncomingSecret(ring, owner);
    this.dummy = { owner, sealed, digest, isReal: false };
  }

  async authenticate(
    db: EntityManager,
    webhookId: string,
    proof: IncomingProof,
  ): Promise<AuthenticatedWebhook | undefined> {
    const [row] = await db.query<[Row]>(findWebhook, [isUuid(webhookId) ? webhookId : newId()]);
    const via = this.findProof(row, proof);
    const { id, accountId, workflowId, authority, disabled } = row;
    const isOpen = !disabled && authority !== null;
    return id === null ? undefined : { id, accountId, workflowId, authority, via: isOpen ? via : undefined };
  }

  private findProof(row: Row, proof: IncomingProof): CallVia | undefined {
    const found: CallVia[] = [];
    for (const candidate of this.listCandidates(row)) {
      if (this.knowsSecret(candidate, proof)) found.push('secret');
      if (this.hasSigned(candidate, proof)) found.push('signature');
    }
    if (isOwner(row, proof)) found.push('bearer');
    return isFresh(row, proof) ? found[0] : undefined;
  }

  private listCandidates({ id, accountId, secret, digest, previousSecret, previousDigest }: Row): Candidate[] {
    if (id === null) return [this.dummy, this.dummy];
    const owner = { id, accountId };
    const current = { owner, sealed: secret, digest, isReal: true };
    return previousSecret && previousDigest
      ? [current, { owner, sealed: previousSecret, digest: previousDigest, isReal: true }]
      : [current, this.dummy];
  }

  private knowsSecret({ digest, isReal }: Candidate, { secret }: IncomingProof): boolean {
    return secret !== undefined && timingSafeEqual(digestSecret(secret), digest) && isReal;
  }

  private hasSigned({ owner, sealed, isReal }: Candidate, { signatures, timestamp, body }: IncomingProof): boolean {
    if (signatures.length === 0) return false;
    const secret = this.decrypt(owner, sealed);
    if (!secret) return false;
    const hmac = createHmac('sha256', secret);
    if (timestamp !== undefined) hmac.update(`${timestamp}.`);
    const expected = hmac.update(body).digest();
    return signatures.filter((signature) => timingSafeEqual(parseSignature(signature), expected)).length > 0 && isReal;
  }

  private decrypt(owner: SecretOwner, sealed: Buffer): Buffer | undefined {
    try {
      return openIncomingSecret(this.ring, owner, sealed);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.onBroken(error);
      return undefined;
    }
  }
}

/** Decodes a signature. A malformed one becomes random bytes, so that the comparison takes equally long. */
function parseSignature(signature: string): Buffer {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(signature.trim()) ?? [];
  return hex === undefined ? randomBytes(32) : Buffer.from(hex, 'hex');
}

const isOwner = ({ accountId }: Row, { actor }: IncomingProof): boolean =>
  actor?.accountId === accountId && grants(actor.scopes, 'workflows:write');

function isFresh({ epoch }: Row, { timestamp }: IncomingProof): boolean {
  if (timestamp === undefined) return true;
  return /^\d{1,12}$/.test(timestamp) && Math.abs(epoch - Number(timestamp)) <= REPLAY_WINDOW_SECONDS;
}
