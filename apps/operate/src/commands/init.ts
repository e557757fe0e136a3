import type { Command } from '../command.js';
import { ensureFirstAccount } from '../first-account.js';

export const initCommand: Command = {
  usage: 'init',
  description:
    'creates the first administrator, community and token that LENSFORGE_INIT_… name and do not exist; migrate does the same after the migrations',
  run: async ({ ctx, environment, print }) => {
    const lines = await ensureFirstAccount(ctx, environment);
    for (const line of lines) print(line);
    if (lines.length === 0) print('nothing to create: LENSFORGE_INIT_EMAIL is not set');
    return true;
  },
};
