import { migrate } from '@lensforge/database';
import type { Command } from '../command.js';

export const migrateCommand: Command = {
  usage: 'migrate',
  does: 'brings the schema of the database up to date; safe to run twice, or from two places at once',
  beforeSchema: true,
  run: async ({ environment, say }) => {
    const applied = await migrate(environment.DATABASE_URL);
    for (const name of applied) say(`applied ${name}`);
    if (applied.length === 0) say('the schema is up to date');
    return true;
  },
};
