import { DomainError, newId, platformActor, systemClock } from '@lensforge/core';
import { SchemaError, checkSchema, openDatabase, requireOwnSession } from '@lensforge/database';
import { BadEnvironment, toHostAndPath, readEnvironment, settingWarnings } from '@lensforge/edge';
import { type MasterKeySetting, WrongMasterKey, checkMasterKey } from '@lensforge/master-keys';
import { type KeyRing, SealBroken, keyRing, readMasterKeys } from '@lensforge/vault';
import { type Command, type CommandContext, type DatabaseCommand, type Terminal, UsageError } from './command.js';
import { backupCommand } from './commands/backup.js';
import { createCommunityCommand } from './commands/create-community.js';
import { createTokenCommand } from './commands/create-token.js';
import { createUserCommand } from './commands/create-user.js';
import { doctorCommand } from './commands/doctor.js';
import { giveUpMasterKeyCommand } from './commands/give-up-master-key.js';
import { grantCreditsCommand } from './commands/grant-credits.js';
import { initCommand } from './commands/init.js';
import { issueServiceRoleKeyCommand } from './commands/issue-service-role-key.js';
import { masterKeysCommand } from './commands/master-keys.js';
import { migrateCommand } from './commands/migrate.js';
import { modelsCommand } from './commands/models.js';
import { rebuildQueueCommand } from './commands/rebuild-queue.js';
import { resetSecondFactorCommand } from './commands/reset-second-factor.js';
import { restoreCommand } from './commands/restore.js';
import { rotateByokMasterCommand } from './commands/rotate-byok-master.js';
import { rotateMasterCommand } from './commands/rotate-master.js';
import { rotateSigningKeysCommand } from './commands/rotate-signing-keys.js';
import { setOperatorCommand } from './commands/set-operator.js';
import { setRoleLimitsCommand } from './commands/set-role-limits.js';
import { verifyAuditCommand } from './commands/verify-audit.js';
import { OperatorEnvironment } from './environment.js';

const commands: readonly Command[] = [
  migrateCommand,
  setRoleLimitsCommand,
  initCommand,
  createUserCommand,
  resetSecondFactorCommand,
  setOperatorCommand,
  createCommunityCommand,
  createTokenCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  modelsCommand,
  rebuildQueueCommand,
  rotateSigningKeysCommand,
  verifyAuditCommand,
  issueServiceRoleKeyCommand,
  grantCreditsCommand,
  rotateMasterCommand,
  rotateByokMasterCommand,
  masterKeysCommand,
  giveUpMasterKeyCommand,
];

const width = Math.max(...commands.map(({ usage }) => usage.length));
export const help = [
  'lensforge-operate <command>, given DATABASE_URL and for some LENSFORGE_MASTER_KEY',
  '',
  ...commands.map(({ usage, description }) => `  ${usage.padEnd(width)}  ${description}`),
].join('\n');

/** Runs one command and returns its exit code: 0 for success, 1 for a problem, 2 for a usage error. */
export async function operate(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, print, printError, readInput = () => Promise.resolve('') } = terminal;
  const [name, ...args] = argv;
  if (name === 'help' || name === '--help') return (print(help), 0);
  const command = commands.find(({ usage }) => usage.split(' ')[0] === name);
  if (!command || args.length > command.usage.split(' ').length - 1) {
    printError(name === undefined ? help : `Unknown command or arguments: ${argv.join(' ')}\n\n${help}`);
    return 2;
  }
  try {
    if ('runAlone' in command) return (await command.runAlone(terminal)) ? 0 : 1;
    const settings = readEnvironment(OperatorEnvironment, environment);
    for (const warning of settingWarnings(settings, environment)) printError(`warning: ${warning}`);
    const output = { print, note: printError, readInput, searchPath: environment['PATH'] ?? '' };
    return (await runCommand(command, args, { environment: settings, ...output })) ? 0 : 1;
  } catch (error) {
    printError(toMessage(error));
    return error instanceof UsageError || isBadInput(error) ? 2 : 1;
  }
}

async function runCommand(
  { onAnySchema = false, direct = false, run }: DatabaseCommand,
  args: readonly string[],
  { environment, ...output }: Omit<CommandContext, 'ctx' | 'ring' | 'newRing'>,
): Promise<boolean> {
  const url = direct ? environment.directUrl : environment.DATABASE_URL;
  const { DATABASE_CA: ca } = environment;
  const open = {
    url,
    ca,
    applicationName: 'operate',
    poolSize: 2,
    withoutLimits: true,
  };
  const unavailable = (error: unknown): never => {
    if (error instanceof SchemaError) throw error;
    throw new DatabaseUnavailable(
      `The database at ${toHostAndPath(url)} cannot be opened: ${(error as Error).message}`,
    );
  };
  if (direct) await requireOwnSession({ url, ca }).catch(unavailable);
  const database = await openDatabase(open).catch(unavailable);
  try {
    if (!onAnySchema) await checkSchema((sql) => database.query(sql));
    const ctx = { actor: platformActor, db: database.manager, now: systemClock, requestId: newId() };
    const ring: CommandContext['ring'] = async (setting = 'LENSFORGE_MASTER_KEY') => {
      const ring = readRing(environment, setting);
      await checkMasterKey(ctx, { setting, ring, by: 'operate' });
      return ring;
    };
    const newRing: CommandContext['newRing'] = (setting) => readRing(environment, setting);
    return await run({ ctx, environment, ring, newRing, ...output }, args);
  } finally {
    await database.destroy();
  }
}

function readRing(environment: OperatorEnvironment, setting: MasterKeySetting): KeyRing {
  const keys = environment[setting];
  if (keys === undefined)
    throw new UsageError(`${setting} is required for this command, with the value of the services`);
  try {
    return keyRing(readMasterKeys(keys));
  } catch (error) {
    throw new UsageError(`${setting}: ${(error as Error).message}`);
  }
}

class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

const operatorErrors = [
  UsageError,
  DatabaseUnavailable,
  BadEnvironment,
  SchemaError,
  WrongMasterKey,
  SealBroken,
  DomainError,
];

const isBadInput = (error: unknown): boolean => error instanceof DomainError && error.code === 'BAD_INPUT';

function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return operatorErrors.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}
