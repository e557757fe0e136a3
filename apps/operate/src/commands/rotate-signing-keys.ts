import { replaceSigningKeys, rotateAuditSigningKey, rotateSigningKeys } from '@lensforge/identity';
import { type Command, UsageError } from '../command.js';

export const rotateSigningKeysCommand: Command = {
  usage: 'rotate-signing-keys [at-once]',
  description:
    'publishes the next key for session tokens and rotates the key of the audit log; sessions continue. at-once: after a theft, revokes all old keys',
  run: async ({ ctx, ring: ringOf, print }, [when]) => {
    if (when !== undefined && when !== 'at-once')
      throw new UsageError('rotate-signing-keys takes no argument but at-once');
    const ring = await ringOf();
    const { kid, signsFrom } = await (when ? replaceSigningKeys : rotateSigningKeys)(ctx, ring);
    print(`the key ${kid} is published and signs from ${signsFrom.toISOString()} on`);
    const auditKid = await rotateAuditSigningKey(ctx, ring);
    if (auditKid !== undefined) print(`the key ${auditKid} signs the audit log from now on`);
    return true;
  },
};
