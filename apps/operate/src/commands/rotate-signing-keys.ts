import { replaceSigningKeys, rotateSigningKeys } from '@lensforge/identity';
import type { Command } from '../command.js';
import { UsageError } from '../command.js';

export const rotateSigningKeysCommand: Command = {
  usage: 'rotate-signing-keys [at-once]',
  does: 'publishes the next key for session tokens; nobody has to sign in again. at-once: a key was stolen, none of the old ones counts',
  run: async ({ ctx, ring, say }, [when]) => {
    if (when !== undefined && when !== 'at-once') throw new UsageError('the only word behind it is at-once');
    const { kid, signsFrom } = await (when ? replaceSigningKeys : rotateSigningKeys)(ctx, await ring());
    say(`the key ${kid} is published and signs from ${signsFrom.toISOString()} on`);
    return true;
  },
};
