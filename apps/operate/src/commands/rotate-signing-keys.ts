import { rotateSigningKeys } from '@lensforge/identity';
import type { Command } from '../command.js';

export const rotateSigningKeysCommand: Command = {
  usage: 'rotate-signing-keys',
  does: 'publishes the next key for session tokens; nobody has to sign in again',
  run: async ({ ctx, ring, say }) => {
    const { kid, signsFrom } = await rotateSigningKeys(ctx, ring());
    say(`the key ${kid} is published and signs from ${signsFrom.toISOString()} on`);
    return true;
  },
};
