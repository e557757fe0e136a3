import { replaceSigningKeys, rotateAuditSigningKey, rotateSigningKeys } from '@lensforge/identity';
import type { Command } from '../command.js';
import { UsageError } from '../command.js';

export const rotateSigningKeysCommand: Command = {
  usage: 'rotate-signing-keys [at-once]',
  does: 'publishes the next key for session tokens, and another one for the audit log; sessions go on. at-once: after a theft; no old key counts any more',
  run: async ({ ctx, ring: ringOf, say }, [when]) => {
    if (when !== undefined && when !== 'at-once') throw new UsageError('the only word behind it is at-once');
    const ring = await ringOf();
    const { kid, signsFrom } = await (when ? replaceSigningKeys : rotateSigningKeys)(ctx, ring);
    say(`the key ${kid} is published and signs from ${signsFrom.toISOString()} on`);
    const auditKid = await rotateAuditSigningKey(ctx, ring);
    if (auditKid !== undefined) say(`the key ${auditKid} signs the audit log from now on`);
    return true;
  },
};
