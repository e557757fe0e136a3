import { readFile } from 'node:fs/promises';
import { type AuditPublicKey, verifyAudit, verifyStatements } from '@lensforge/audit';
import { isUuid } from '@lensforge/core';
import { attestedAuditKeys, readAuditKeys } from '@lensforge/identity';
import { type Command, type CommandContext, UsageError } from '../command.js';

const keysOption = '--keys=';

export const verifyAuditCommand: Command = {
  usage: 'verify-audit [account-id] [--keys=<file>]',
  description:
    'verifies the hash chain and the signed statements of all audit logs or of one. --keys: a file with published keys, instead of LENSFORGE_MASTER_KEY',
  run: async (context, args) => {
    const { ctx, print } = context;
    const file = args.find((each) => each.startsWith(keysOption))?.slice(keysOption.length);
    const [accountId, ...more] = args.filter((each) => !each.startsWith(keysOption));
    if (more.length > 0 || file === '') throw new UsageError('verify-audit takes an account-id and --keys=<file>');
    if (accountId !== undefined && !isUuid(accountId)) throw new UsageError('account-id must be a UUID');
    const keys = await trustedKeys(context, file);

    const { accounts, entries, breaks, broken } = await verifyAudit(ctx.db, accountId);
    for (const { accountId, sequence, what } of breaks) print(`${accountId}, entry ${sequence}: ${what}`);
    if (broken > breaks.length) print(`and ${broken - breaks.length} more logs`);
    print(`${entries} entries in ${accounts} audit logs: ${broken === 0 ? 'all hold' : `${broken} do not hold`}`);

    const signed = await verifyStatements(ctx.db, { keys, accountId });
    for (const fault of signed.faults) print(fault);
    if (signed.broken > signed.faults.length) print(`and ${signed.broken - signed.faults.length} more`);
    const until = signed.until ? `, the newest of ${signed.until.toISOString()}` : '';
    const verdict = signed.broken === 0 ? 'all hold' : `${signed.broken} do not hold`;
    print(`${signed.statements} signed statements${until}: ${verdict}`);
    return broken === 0 && signed.broken === 0;
  },
};

/** Trusts keys in the database only when the master key attests them, since an attacker could insert a key. */
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
