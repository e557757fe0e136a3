import { recordAudit } from '@lensforge/audit';
import { rewrapSealed } from '@lensforge/master-keys';
import type { Command } from '../command.js';

export const rotateMasterCommand: Command = {
  usage: 'rotate-master',
  does: 'wraps what LENSFORGE_MASTER_KEY seals anew with its newest key while services use it; goes on where it was stopped',
  run: async ({ ctx, ring: ringOf, say }) => {
    const ring = await ringOf();
    const { rewrapped, left, broken } = await rewrapSealed(ctx, ring, {
      onProgress: (count) => say(`${count} values wrapped anew`),
    });
    const details = { master: ring.newest, rewrapped, left, broken };
    await recordAudit(ctx, { accountId: ctx.actor.accountId, action: 'master.rotated', details });
    say(`${rewrapped} values are wrapped with master key ${ring.newest}; ${left} with older ones`);
    if (broken.length > 0) say(`these cannot be opened, their rows were altered: ${broken.join(', ')}`);
    return left === 0;
  },
};
