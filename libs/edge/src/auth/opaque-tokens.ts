import { type Actor, batchCalls } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import {
  type TokenKind,
  findCredentials,
  hashToken,
  stillValid,
  detectTokenKind,
  touchCredentials,
} from '@lensforge/identity';
import type { EntityManager } from 'typeorm';
import type { TokenVerifier } from './bearer.js';
import type { Logger } from '../observability/logging.js';
import { LastUsedRecorder } from './last-used-recorder.js';

export interface OpaqueTokenOptions {
  db: EntityManager;
  /** The kinds that the service accepts. */
  kinds: readonly TokenKind[];
  logger: Logger;
}

/** Token kinds as messages name them. */
export const tokenNames: Readonly<Record<TokenKind, string>> = {
  mcp: 'an MCP token',
  developer: 'a developer token',
  organisation: 'an organisation token',
  service: 'a service token',
};

/** Verifies tokens that are stored in the database: one query for concurrent requests, and no cache. */
export class OpaqueTokens implements TokenVerifier {
  private readonly find: (hash: Buffer) => Promise<Actor | undefined>;
  private readonly check: (id: string) => Promise<boolean>;
  private readonly uses: LastUsedRecorder;

  constructor(private readonly options: OpaqueTokenOptions) {
    const { db } = options;
    this.find = batchCalls((hashes: Buffer[]) => withDbRetry(() => findCredentials(db, hashes)), {
      maxSize: 500,
      concurrency: 3,
    });
    this.check = batchCalls(
      async (ids: string[]) => {
        const valid = await withDbRetry(() => stillValid(db, ids));
        return ids.map((id) => valid.has(id));
      },
      { maxSize: 500, concurrency: 1 },
    );
    this.uses = new LastUsedRecorder((ids) => touchCredentials(db, ids), options.logger);
  }

  accepts(token: string): boolean {
    const kind = detectTokenKind(token);
    return kind !== undefined && this.options.kinds.includes(kind);
  }

  async verify(token: string): Promise<Actor | undefined> {
    const actor = await this.find(hashToken(token));
    if (actor) this.uses.add(actor.credential.id);
    return actor;
  }

  async kindIfForeign(token: string): Promise<string | undefined> {
    const kind = detectTokenKind(token);
    if (kind === undefined || this.options.kinds.includes(kind)) return undefined;
    return (await this.find(hashToken(token))) && tokenNames[kind];
  }

  issued({ credential }: Actor): boolean {
    return (this.options.kinds as readonly string[]).includes(credential.kind);
  }

  stillValid({ credential }: Actor): Promise<boolean> {
    return this.check(credential.id);
  }

  close(): Promise<void> {
    return this.uses.close();
  }
}
