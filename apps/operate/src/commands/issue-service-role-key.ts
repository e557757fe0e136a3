import { issueServiceRoleKey } from '@lensforge/identity';
import type { Command } from '../command.js';

export const issueServiceRoleKeyCommand: Command = {
  usage: 'issue-service-role-key',
  does: 'prints a key with which lensforge-mcp serves the tools over standard input and output, past all access rules',
  run: async ({ ctx, ring, environment, say }) => {
    say(await issueServiceRoleKey(ctx, { ring: await ring(), issuer: environment.issuer }));
    return true;
  },
};
