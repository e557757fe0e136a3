import { migrate } from '@lensforge/database';
import { type Command, UsageError } from '../command.js';
import { ensureFirstAccount } from '../first-account.js';

export const migrateCommand: Command = {
  usage: 'migrate [--app-role <name>]',
  description:
    'brings the database schema up to date; safe to run twice or concurrently. --app-role: grants a role the privileges that services need, now and with every later migrate',
  onAnySchema: true,
  direct: true,
  run: async ({ ctx, environment, print }, args) => {
    const applicationRole = roleIn(args);
    const applied = await migrate(environment.directUrl, undefined, { applicationRole, ca: environment.DATABASE_CA });
    for (const name of applied) print(`applied ${name}`);
    if (applied.length === 0) print('the schema is up to date');
    if (applicationRole !== undefined) print(`the role ${applicationRole} has the privileges that services need`);
    for (const line of await ensureFirstAccount(ctx, environment)) print(line);
    return true;
  },
};

/** `--app-role services` or `--app-role=services`. */
function roleIn(args: readonly string[]): string | undefined {
  if (args.length === 0) return undefined;
  const [, option, role = ''] = /^(--app-role)[ =](.+)$/.exec(args.join(' ')) ?? [];
  if (option === undefined) throw new UsageError('migrate takes nothing but --app-role <name>');
  return role;
}
