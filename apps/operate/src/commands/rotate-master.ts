import { recordAudit } from '@lensforge/audit';
import { rewrapSealed } from '@lensforge/master-keys';
import type { Command } from '../command.js';

export const rotateMasterCommand: Command = {
  usage: 'rotate-master',
  description:
    're-encrypts stored secrets with the newest LENSFORGE_MASTER_KEY while services use them; resumes after an interruption',
  run: async ({ ctx, ring: ringOf, print }) => {
    const ring = await ringOf();
    const { rewrapped, left, broken } = await rewrapSealed(ctx, ring, {
      onProgress: (count) => print(`${count} values re-encrypted`),
    });
    const details = { master: ring.newest, rewrapped, left, broken };
    await recordAudit(ctx, { accountId: ctx.actor.accountId, action: 'master.rotated', details });
    print(`${rewrapped} values are encrypted with master key ${ring.newest}; ${left} remain on older ones`);
    if (broken.length > 0) print(`cannot be decrypted, because their rows were altered: ${broken.join(', ')}`);
    return left === 0;
  },
};
