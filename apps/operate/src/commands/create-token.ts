import { type Scope, developerScopes, isScope, scopes } from '@lensforge/contracts';
import { type TokenForAccount, createTokenFor } from '@lensforge/identity';
import { type Command, UsageError } from '../command.js';
import { requireAccount } from '../require-account.js';
import { readArguments, readSecret } from '../options.js';

type Kind = TokenForAccount['kind'];
/** The scopes that a token of each kind may have, and has unless others are named; and its days. */
const kinds: Record<Kind, { allowed: readonly Scope[]; days?: number }> = {
  developer: { allowed: developerScopes, days: 90 },
  mcp: { allowed: scopes },
  organisation: { allowed: scopes, days: 365 },
};
const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text);

const optionNames = ['scopes', 'days', 'label', 'value-file'];
const explanation =
  'create-token takes a handle or id, one of developer, mcp and organisation, and optionally --scopes=a,b --days=… --label=… --value-file=<file>';

export const createTokenCommand: Command = {
  usage: 'create-token <handle-or-id> <kind> [--scopes=…] [--days=…] [--label=…] [--value-file=…]',
  description:
    'creates a developer or mcp token of a person or an organisation token of a community, and prints it once. --value-file: takes a value that you have generated (- is standard input)',
  run: async ({ ctx, print, note, readInput }, args) => {
    const { options, rest } = readArguments(args, optionNames, explanation);
    const [who, kind = '', ...more] = rest;
    if (who === undefined || !isKind(kind) || more.length > 0) throw new UsageError(explanation);
    const account = await requireAccount(ctx, who);
    const file = options['value-file'];
    const token = await createTokenFor(ctx, {
      account,
      kind,
      label: options['label'] ?? 'operate',
      scopes: parseScopes(kind, options['scopes']),
      ...parseDays(kind, options['days']),
      ...(file !== undefined && { value: await readSecret(file, readInput) }),
    });
    note(
      `created a token of ${account.handle}, ${token.expiresAt ? `valid until ${token.expiresAt}` : 'without expiry'}`,
    );
    if (file === undefined) print(token.value);
    return true;
  },
};

function parseScopes(kind: Kind, list: string | undefined): readonly Scope[] {
  const { allowed } = kinds[kind];
  if (list === undefined) return allowed;
  return list.split(',').map((scope) => {
    if (isScope(scope) && allowed.includes(scope)) return scope;
    throw new UsageError(`${scope} is no scope of a token of kind ${kind}; these are ${allowed.join(', ')}`);
  });
}

function parseDays(kind: Kind, text: string | undefined): { days?: number } {
  const { days } = kinds[kind];
  if (text !== undefined && days === undefined) throw new UsageError('an mcp token has no expiry: omit --days');
  if (text !== undefined && !/^\d{1,4}$/.test(text)) throw new UsageError('--days must be a whole number');
  return days === undefined ? {} : { days: text === undefined ? days : Number(text) };
}
