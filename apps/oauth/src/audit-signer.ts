import type { StatementRef } from '@lensforge/audit';
import { signAuditHeads } from '@lensforge/audit';
import { newId, platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import { currentAuditSigner } from '@lensforge/identity';
import type { KeyRing } from '@lensforge/vault';
import { Counter } from 'prom-client';

const everySeconds = 3600;
const mostHeads = 20_000;

const firstStatement =
  'the audit log was signed for the first time; if it was signed before, all statements were deleted from the database';

/**
 * Signs the heads of the audit chains every hour. Each oauth service looks once a minute whether that is due, and also
 * whether the newest statement that it has seen is still there.
 */
export function signAuditHourly(
  { environment, database, drain, logger, metrics, now }: Platform,
  ring: KeyRing,
  lookEveryMs = 60_000,
): void {
  const statements = new Counter({
    name: 'lensforge_audit_statements_total',
    help: 'Signed statements about the audit log, and tries that failed',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  let seen: StatementRef | undefined;
  let fault: string | undefined;

  const look = async (): Promise<void> => {
    try {
      const ctx = { actor: platformActor, db: database.manager, now, requestId: newId() };
      for (let due = everySeconds; ; due = 0) {
        const { newest, heads } = await signAuditHeads(ctx, {
          signer: (ctx) => currentAuditSigner(ctx, ring),
          everySeconds: due,
          seen,
          most: mostHeads,
        });
        seen = newest;
        if (heads === undefined) break;
        statements.inc({ outcome: 'signed' });
        const shown = { number: newest?.number, hash: newest?.hash.slice(0, 32), heads };
        if (newest?.number === 1 && environment.production) logger.warn(shown, firstStatement);
        else logger.info(shown, 'the audit log was signed');
        if (heads < mostHeads) break;
      }
      fault = undefined;
    } catch (err) {
      statements.inc({ outcome: 'failed' });
      const said = err instanceof Error ? err.message : String(err);
      if (fault !== said) logger.error({ err }, 'the audit log could not be signed');
      fault = said;
    }
  };

  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, lookEveryMs).unref();
  drain.onDrain('audit signer', () => {
    clearInterval(timer);
    return looking;
  });
}
