import {
  AiLenserPolicy,
  type AiLenser as AiLenserShape,
  type AiLenserUsers,
  type Scope,
  scopes,
} from '@lensforge/contracts';
import { type Actor, type Context, newId } from '@lensforge/core';
import {
  type Account,
  type AccountKind,
  AiLenser,
  type User,
  createAccount,
  createUser,
  issueToken,
  readableAiLenser,
} from './index.js';

export async function anAccount(ctx: Context, { kind = 'person' }: { kind?: AccountKind } = {}): Promise<Account> {
  const id = newId();
  return createAccount(ctx, { kind, handle: `a-${id}`, displayName: `Account ${id}` });
}

export interface APerson {
  user: User;
  account: Account;
  email: string;
  password: string;
}

/** Creates a user with a password and a person account. */
export async function aPerson(ctx: Context): Promise<APerson> {
  const account = await anAccount(ctx);
  const [email, password] = [`${account.handle}@example.org`, `cheese & bread ${newId()}`];
  return { user: await createUser(ctx, { email, password, accountId: account.id }), account, email, password };
}

export interface AiLenserTraits {
  handle?: string;
  displayName?: string;
  bio?: string;
  aiModelKey?: string;
  instructions?: string;
  policy?: Partial<AiLenserPolicy>;
  archived?: boolean;
  /** anyone, when absent, so that tests of other matters need no community. */
  usableBy?: AiLenserUsers;
}

/** Inserts an AI lenser of the caller, who needs an account; the limit for each owner does not apply. */
export async function anAiLenser(ctx: Context, traits: AiLenserTraits = {}): Promise<AiLenserShape> {
  const { handle = `ai-${newId()}`, displayName = `AI lenser ${handle}`, bio = '', archived = false } = traits;
  const { accountId: ownerAccountId } = ctx.actor;
  const { id } = await createAccount(ctx, { kind: 'agent', handle, displayName, ownerAccountId, description: bio });
  await ctx.db.insert(AiLenser, {
    accountId: id,
    aiModelKey: traits.aiModelKey ?? null,
    instructions: traits.instructions ?? '',
    policy: { ...new AiLenserPolicy(), ...traits.policy },
    usableBy: traits.usableBy ?? 'anyone',
    archivedAt: archived ? ctx.now() : null,
    updatedAt: ctx.now(),
    lastSequence: 0,
  });
  return readableAiLenser(ctx, id);
}

export async function aToken(
  ctx: Context,
  {
    accountId,
    held = scopes,
    kind = 'developer',
  }: { accountId: string; held?: readonly Scope[]; kind?: 'developer' | 'organisation' | 'service' | 'mcp' },
): Promise<{ value: string; id: string }> {
  const days = kind === 'mcp' ? {} : { days: 90 };
  const { value, token } = await issueToken(ctx, {
    kind,
    accountId,
    userId: null,
    label: 'test',
    scopes: held,
    ...days,
  });
  return { value, id: token.id };
}

export const actingAs = (ctx: Context, accountId: string, held: readonly Scope[] = scopes): Context => {
  const actor: Actor = { credential: { kind: 'developer', id: newId() }, accountId, userId: null, scopes: held };
  return { ...ctx, actor };
};
