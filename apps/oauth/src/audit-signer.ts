import { type StatementRef, signAuditHeads } from '@lensforge/audit';
import { type Platform, platformContext } from '@lensforge/edge';
import { currentAuditSigner } from '@lensforge/identity';
import type { KeyRing } from '@lensforge/vault';
import { Counter } from 'prom-client';

const everySeconds = 3600;
const maxHeads = 20_000;

const firstStatement =
  'the audit log was signed for the first time; if it was signed before, all statements were deleted from the database';

/**
 * Signs the heads of the audit chains every hour. Each oauth service checks once a minute that this is not overdue and that the
 * newest statement that it has seen still exists.
 */
export function signAuditHourly(platform: Platform, ring: KeyRing, checkEveryMs = 60_000): void {
  const { environment, drain, logger, metrics } = platform;
  const statements = new Counter({
    name: 'lensforge_audit_statements_total',
    help: 'Statements about the audit log: signed or failed',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  let seen: StatementRef | undefined;
  let fault: string | undefined;

  const check = async (): Promise<void> => {
    try {
      const ctx = platformContext(platform);
      for (let due = everySeconds; ; due = 0) {
        const { newest, heads } = await signAuditHeads(ctx, {
          signer: (ctx) => currentAuditSigner(ctx, ring),
          everySeconds: due,
          seen,
          most: maxHeads,
        });
        seen = newest;
        if (heads === undefined) break;
        statements.inc({ outcome: 'signed' });
        const shown = { number: newest?.number, hash: newest?.hash.slice(0, 32), heads };
        if (newest?.number === 1 && environment.production) logger.warn(shown, firstStatement);
        else logger.info(shown, 'the audit log was signed');
        if (heads < maxHeads) break;
      }
      fault = undefined;
    } catch (err) {
      statements.inc({ outcome: 'failed' });
      const message = err instanceof Error ? err.message : String(err);
      if (fault !== message) logger.error({ err }, 'the audit log could not be signed');
      fault = message;
    }
  };

  let checking = check();
  const timer = setInterval(() => {
    checking = checking.then(check);
  }, checkEveryMs).unref();
  drain.onDrain('audit signer', () => {
    clearInterval(timer);
    return checking;
  });
}
