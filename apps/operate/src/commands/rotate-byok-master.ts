import { rotateByokMaster } from '@lensforge/byok';
import type { Command } from '../command.js';

export const rotateByokMasterCommand: Command = {
  usage: 'rotate-byok-master',
  description:
    're-encrypts BYOK keys with the newest LENSFORGE_BYOK_MASTER_KEY while runs use them; resumes after an interruption',
  run: async ({ ctx, ring, print }) => {
    const { pair, master, rewrapped, left, broken } = await rotateByokMaster(
      ctx,
      await ring('LENSFORGE_BYOK_MASTER_KEY'),
      {
        onProgress: (count) => print(`${count} keys re-encrypted`),
      },
    );
    print(
      `${rewrapped} BYOK keys are encrypted for key pair ${pair}, which master key ${master} encrypts; ${left} remain on older ones`,
    );
    if (broken.length > 0) print(`cannot be decrypted, because their rows were altered: ${broken.join(', ')}`);
    return left === 0;
  },
};
