import { verifyAudit } from '@lensforge/audit';
import { isUuid } from '@lensforge/core';
import type { Command } from '../command.js';
import { UsageError } from '../command.js';

export const verifyAuditCommand: Command = {
  usage: 'verify-audit [account-id]',
  does: 'follows the hash chain of every audit log, or of one, and says where it does not hold',
  run: async ({ ctx, say }, [accountId]) => {
    if (accountId !== undefined && !isUuid(accountId)) throw new UsageError('account-id must be a UUID');
    const { accounts, entries, breaks, broken } = await verifyAudit(ctx.db, accountId);
    for (const { accountId, sequence, what } of breaks) say(`${accountId}, entry ${sequence}: ${what}`);
    if (broken > breaks.length) say(`and ${broken - breaks.length} more logs`);
    say(`${entries} entries in ${accounts} audit logs: ${broken === 0 ? 'all hold' : `${broken} do not hold`}`);
    return broken === 0;
  },
};
