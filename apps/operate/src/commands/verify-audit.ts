import { readFile } from 'node:fs/promises';
import type { AuditPublicKey } from '@lensforge/audit';
import { verifyAudit, verifyStatements } from '@lensforge/audit';
import { isUuid } from '@lensforge/core';
import { attestedAuditKeys, readAuditKeys } from '@lensforge/identity';
import type { Command, CommandContext } from '../command.js';
import { UsageError } from '../command.js';

const keysOption = '--keys=';

export const verifyAuditCommand: Command = {
  usage: 'verify-audit [account-id] [--keys=<file>]',
  does: 'follows the hash chain of every audit log, or of one, compares it with the signed statements, and says where it does not hold. --keys: published keys kept elsewhere, in place of LENSFORGE_MASTER_KEY',
  run: async (desk, args) => {
    const { ctx, say } = desk;
    const file = args.find((each) => each.startsWith(keysOption))?.slice(keysOption.length);
    const [accountId, ...more] = args.filter((each) => !each.startsWith(keysOption));
    if (more.length > 0 || file === '') throw new UsageError('verify-audit takes an account-id and --keys=<file>');
    if (accountId !== undefined && !isUuid(accountId)) throw new UsageError('account-id must be a UUID');
    const keys = await trustedKeys(desk, file);

    const { accounts, entries, breaks, broken } = await verifyAudit(ctx.db, accountId);
    for (const { accountId, sequence, what } of breaks) say(`${accountId}, entry ${sequence}: ${what}`);
    if (broken > breaks.length) say(`and ${broken - breaks.length} more logs`);
    say(`${entries} entries in ${accounts} audit logs: ${broken === 0 ? 'all hold' : `${broken} do not hold`}`);

    const signed = await verifyStatements(ctx.db, { keys, accountId });
    for (const fault of signed.faults) say(fault);
    if (signed.broken > signed.faults.length) say(`and ${signed.broken - signed.faults.length} more`);
    const until = signed.until ? `, the newest of ${signed.until.toISOString()}` : '';
    const verdict = signed.broken === 0 ? 'all hold' : `${signed.broken} do not hold`;
    say(`${signed.statements} signed statements${until}: ${verdict}`);
    return broken === 0 && signed.broken === 0;
  },
};

/** Keys in the database count only when the master key attests them: an attacker with write access could add a key. */
async function trustedKeys({ ctx, environment, ring }: CommandContext, file: string | undefined) {
  if (file !== undefined) return keysIn(file);
  if (environment.LENSFORGE_MASTER_KEY === undefined) {
    throw new UsageError(
      'verify-audit needs LENSFORGE_MASTER_KEY, as the services have it, or --keys=<file> with the keys that /id/audit-keys.json published',
    );
  }
  return attestedAuditKeys(ctx, await ring());
}

async function keysIn(file: string): Promise<Map<string, AuditPublicKey>> {
  try {
    return readAuditKeys(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
}
