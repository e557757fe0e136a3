import { issueServiceRoleKey } from '@lensforge/identity';
import type { Command } from '../command.js';

export const issueServiceRoleKeyCommand: Command = {
  usage: 'issue-service-role-key',
  description:
    'prints a service role key for lensforge-mcp, which serves the tools over stdio; it bypasses all access rules',
  run: async ({ ctx, ring, environment, print }) => {
    print(await issueServiceRoleKey(ctx, { ring: await ring(), issuer: environment.issuer }));
    return true;
  },
};
