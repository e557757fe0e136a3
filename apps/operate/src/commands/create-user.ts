import { randomBytes } from 'node:crypto';
import { createPerson } from '@lensforge/identity';
import { type Command, UsageError } from '../command.js';
import { readArguments, readSecret } from '../options.js';

const explanation =
  'create-user takes a handle, an email address, and optionally --name=… and --password-file=<file>, or - for standard input';

export const createUserCommand: Command = {
  usage: 'create-user <handle> <email> [--name=…] [--password-file=…]',
  description:
    'creates a person who can sign in, without a mail server; prints a generated password once, or reads one from a file (- is standard input)',
  run: async ({ ctx, print, note, readInput }, args) => {
    const { options, rest } = readArguments(args, ['name', 'password-file'], explanation);
    const [handle, email, ...more] = rest;
    if (handle === undefined || email === undefined || more.length > 0) throw new UsageError(explanation);
    const file = options['password-file'];
    const password = file === undefined ? generatedPassword() : await readSecret(file, readInput);
    const { name: displayName } = options;
    const { id } = await createPerson(ctx, { handle, email, password, ...(displayName && { displayName }) });
    note(`created ${handle} with the account ${id}`);
    if (file === undefined) {
      note('the password is shown this once:');
      print(password);
    }
    return true;
  },
};

/** 144 random bits. */
const generatedPassword = (): string => randomBytes(18).toString('base64url');
