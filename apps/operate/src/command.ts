import type { Context } from '@lensforge/core';
import type { MasterKeySetting } from '@lensforge/master-keys';
import type { KeyRing } from '@lensforge/vault';
import type { OperatorEnvironment } from './environment.js';

/** The context in which a command runs. */
export interface CommandContext {
  ctx: Context;
  environment: OperatorEnvironment;
  /** Reads the key ring of a master key and checks it against the database. */
  ring: (setting?: MasterKeySetting) => Promise<KeyRing>;
  /** Reads the key ring of a master key that does not belong to the database yet. */
  newRing: (setting: MasterKeySetting) => KeyRing;
  /** Writes a line of the result to standard output. */
  print: (line: string) => void;
  /** Writes a remark to standard error, so that a script can read the result alone. */
  note: (line: string) => void;
  /** Reads standard input to its end. */
  readInput: () => Promise<string>;
  /** The folders in which programs of PostgreSQL are searched: PATH. */
  searchPath: string;
}

/** The environment, standard input and output of the program. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
  printError: (line: string) => void;
  readInput?: () => Promise<string>;
}

interface CommandHelp {
  /** Name and arguments, such as `verify-audit [account-id]`. */
  usage: string;
  description: string;
}

/** Resolves with false when the command found a problem. */
export interface DatabaseCommand extends CommandHelp {
  /** True when the command also works on an older schema. */
  onAnySchema?: boolean;
  /** True when the command needs a session of its own, which a connection pooler may not give it. */
  direct?: boolean;
  run: (context: CommandContext, args: readonly string[]) => Promise<boolean>;
}

/** A command that reads its settings and opens connections itself. */
export interface StandaloneCommand extends CommandHelp {
  runAlone: (terminal: Terminal) => Promise<boolean>;
}

export type Command = DatabaseCommand | StandaloneCommand;

/** An error whose message is printed for the operator as it is. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
