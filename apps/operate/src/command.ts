import type { Context } from '@lensforge/core';
import type { MasterKeySetting } from '@lensforge/master-keys';
import type { KeyRing } from '@lensforge/vault';
import type { OperatorEnvironment } from './environment.js';

/** What a command works with. */
export interface CommandContext {
  ctx: Context;
  environment: OperatorEnvironment;
  /** The ring of a master key, compared with the record of the database; a command that asks for none runs without it. */
  ring: (setting?: MasterKeySetting) => Promise<KeyRing>;
  say: (line: string) => void;
}

export interface Command {
  /** Its name, and what it takes: `verify-audit [account-id]`. */
  usage: string;
  does: string;
  /** Works on any schema, older ones too. */
  beforeSchema?: boolean;
  /** False when it found something that somebody has to look at. */
  run: (desk: CommandContext, args: readonly string[]) => Promise<boolean>;
}

/** Said as it is to whoever typed the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
