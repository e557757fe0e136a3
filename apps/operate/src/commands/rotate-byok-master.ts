import { rotateByokMaster } from '@lensforge/byok';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import type { KeyRing } from '@lensforge/vault';
import type { Command } from '../command.js';
import { UsageError } from '../command.js';
import type { OperatorEnvironment } from '../environment.js';

export const rotateByokMasterCommand: Command = {
  usage: 'rotate-byok-master',
  does: 'wraps the keys of users anew with the newest LENSFORGE_BYOK_MASTER_KEY while runs use them; goes on where it was stopped',
  run: async ({ ctx, environment, say }) => {
    const { pair, master, rewrapped, left, broken } = await rotateByokMaster(ctx, ringOf(environment), {
      onProgress: (count) => say(`${count} keys wrapped anew`),
    });
    say(
      `${rewrapped} keys of users are wrapped for pair ${pair}, sealed with master key ${master}; ${left} on older ones`,
    );
    if (broken.length > 0) say(`these cannot be opened, their rows were altered: ${broken.join(', ')}`);
    return left === 0;
  },
};

function ringOf({ LENSFORGE_BYOK_MASTER_KEY: keys }: OperatorEnvironment): KeyRing {
  if (keys === undefined) {
    throw new UsageError('LENSFORGE_BYOK_MASTER_KEY is needed for this, as the run-workers have it');
  }
  try {
    return keyRing(readMasterKeys(keys));
  } catch (error) {
    throw new UsageError(`LENSFORGE_BYOK_MASTER_KEY: ${(error as Error).message}`);
  }
}
