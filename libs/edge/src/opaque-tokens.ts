import type { Actor } from '@lensforge/core';
import { gather } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import type { TokenKind } from '@lensforge/identity';
import { findCredentials, hashToken, stillValid, tokenKindOf, touchCredentials } from '@lensforge/identity';
import type { EntityManager } from 'typeorm';
import type { TokenVerifier } from './bearer.js';
import type { Logger } from './logging.js';

const noteEveryMs = 5000;
const minuteMs = 60_000;

export interface OpaqueTokenOptions {
  db: EntityManager;
  /** The audience: a token of another kind is as good as none here. */
  kinds: readonly TokenKind[];
  logger: Logger;
}

/** Tokens that are rows: one read for all requests that wait at the same moment, and nothing remembered. */
export class OpaqueTokens implements TokenVerifier {
  private readonly find: (hash: Buffer) => Promise<Actor | undefined>;
  private readonly check: (id: string) => Promise<boolean>;
  private readonly notedAt = new Map<string, number>();
  private used = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: OpaqueTokenOptions) {
    const { db } = options;
    this.find = gather((hashes: Buffer[]) => rideOut(() => findCredentials(db, hashes)), { most: 500, atOnce: 2 });
    this.check = gather(
      async (ids: string[]) => {
        const valid = await rideOut(() => stillValid(db, ids));
        return ids.map((id) => valid.has(id));
      },
      { most: 500, atOnce: 1 },
    );
    this.timer = setInterval(() => void this.noteUse(), noteEveryMs).unref();
  }

  accepts(token: string): boolean {
    const kind = tokenKindOf(token);
    return kind !== undefined && this.options.kinds.includes(kind);
  }

  async verify(token: string): Promise<Actor | undefined> {
    const actor = await this.find(hashToken(token));
    if (actor) this.remember(actor.credential.id);
    return actor;
  }

  vouches({ credential }: Actor): boolean {
    return (this.options.kinds as readonly string[]).includes(credential.kind);
  }

  stillValid({ credential }: Actor): Promise<boolean> {
    return this.check(credential.id);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.noteUse();
  }

  private remember(id: string): void {
    const now = Date.now();
    if (now - (this.notedAt.get(id) ?? 0) < minuteMs) return;
    this.notedAt.set(id, now);
    this.used.add(id);
  }

  private async noteUse(): Promise<void> {
    const ids = [...this.used];
    this.used = new Set();
    const longAgo = Date.now() - minuteMs;
    for (const [id, at] of this.notedAt) if (at < longAgo) this.notedAt.delete(id);
    if (ids.length === 0) return;
    await touchCredentials(this.options.db, ids).catch((err: unknown) => {
      this.options.logger.warn({ err }, 'could not note when tokens were last used');
    });
  }
}
