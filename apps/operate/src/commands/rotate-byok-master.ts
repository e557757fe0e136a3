import { rotateByokMaster } from '@lensforge/byok';
import type { Command } from '../command.js';

export const rotateByokMasterCommand: Command = {
  usage: 'rotate-byok-master',
  does: 'wraps the keys of users anew with the newest LENSFORGE_BYOK_MASTER_KEY while runs use them; goes on where it was stopped',
  run: async ({ ctx, ring, say }) => {
    const { pair, master, rewrapped, left, broken } = await rotateByokMaster(
      ctx,
      await ring('LENSFORGE_BYOK_MASTER_KEY'),
      {
        onProgress: (count) => say(`${count} keys wrapped anew`),
      },
    );
    say(
      `${rewrapped} keys of users are wrapped for pair ${pair}, sealed with master key ${master}; ${left} on older ones`,
    );
    if (broken.length > 0) say(`these cannot be opened, their rows were altered: ${broken.join(', ')}`);
    return left === 0;
  },
};
