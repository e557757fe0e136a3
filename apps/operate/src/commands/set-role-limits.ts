import { limitRole } from '@lensforge/database';
import type { Command } from '../command.js';

export const setRoleLimitsCommand: Command = {
  usage: 'set-role-limits',
  description:
    'makes the time limits of services the defaults of the role of DATABASE_URL, for a connection pooler in transaction mode',
  onAnySchema: true,
  run: async ({ ctx, environment, print }) => {
    await limitRole((sql) => ctx.db.query(sql), environment.DATABASE_PATIENCE);
    print('new connections of this role have the limits of services; RECONNECT in PgBouncer replaces the old ones');
    return true;
  },
};
