import { randomBytes } from 'node:crypto';
import { type Scope, developerScopes, scopes } from '@lensforge/contracts';
import { type Context, newId, platformActor, systemClock } from '@lensforge/core';
import { CreditAccount, grantCredits } from '@lensforge/credits';
import { openDatabase } from '@lensforge/database';
import {
  Account,
  type AccountKind,
  type TokenKind,
  User,
  createAccount,
  createUser,
  findCredentials,
  hashToken,
  issueToken,
  setOperator,
} from '@lensforge/identity';
import { Lens, createLens } from '@lensforge/lenses';
import { type KeyRing, keyRing, readMasterKeys } from '@lensforge/vault';
import { Workflow, createWorkflow } from '@lensforge/workflows';
import { WebhookEndpoint, createEndpoint, disableEndpoint, openSecret } from '@lensforge/webhooks';
import type { Home } from './home.js';

export interface DemoUser {
  email: string;
  password: string;
  handle: string;
  lenserId: string;
}

export interface DemoData {
  users: readonly DemoUser[];
  tokens: Readonly<Record<string, string>>;
  lensId: string;
  /** The same note for several audiences in parallel. */
  workflowId: string;
  /** The secret that signs deliveries to the receiver. */
  webhookSecret: string;
}

export interface Wanted {
  databaseUrl: string;
  databaseCa?: string | undefined;
  home: Home;
  masterKey: string;
  receiverUrl: string;
  /** Adds samples: runs of a month, battles with votes and others. */
  samples?: boolean;
}

/** The values that the database has only as hashes. */
interface Kept {
  passwords: Record<string, string>;
  tokens: Record<string, string>;
}

const file = 'demo.json';
const credits = 10_000;
const subject = 'Product note';
const template = `Write a [[Tone!]] note about [[Product]] for [[Audience]].
It says in one sentence what is new, then why [[Audience]] should care, and closes with one thing to try today.`;

const as = (ctx: Context, accountId: string): Context => ({ ...ctx, actor: { ...platformActor, accountId } });

async function ensureAccount(ctx: Context, kind: AccountKind, handle: string, owner?: Account): Promise<Account> {
  const known = await ctx.db.findOneBy(Account, { handle });
  const displayName = handle.replace(/^./, (letter) => letter.toUpperCase()).replaceAll('-', ' ');
  const account =
    known ?? (await createAccount(ctx, { kind, handle, displayName, ...(owner && { ownerAccountId: owner.id }) }));
  if (!(await ctx.db.existsBy(CreditAccount, { accountId: account.id })))
    await grantCredits(ctx, { accountId: account.id, amount: credits, note: 'demo' });
  return account;
}

async function ensureUser(ctx: Context, handle: string, kept: Kept): Promise<DemoUser & { userId: string }> {
  const email = `${handle}@lensforge.test`;
  const account = await ensureAccount(ctx, 'person', handle);
  const known = await ctx.db.findOneBy(User, { accountId: account.id });
  const password = (known && kept.passwords[email]) ?? `${handle}-${randomBytes(6).toString('hex')}`;
  const user = known ?? (await createUser(ctx, { email, password, accountId: account.id }));
  kept.passwords[email] = password;
  return { email, password, handle, lenserId: account.id, userId: user.id };
}

interface TokenWish {
  name: string;
  kind: TokenKind;
  accountId: string;
  userId?: string;
  held: readonly Scope[];
  days?: number;
  createdBy?: string;
}

async function ensureTokens(ctx: Context, wishes: readonly TokenWish[], kept: Kept): Promise<void> {
  const values = wishes.map(({ name }) => kept.tokens[name] ?? '');
  const actors = await findCredentials(ctx.db, values.map(hashToken));
  for (const [at, { name, kind, accountId, userId = null, held, days, createdBy = null }] of wishes.entries()) {
    if (actors[at]?.accountId === accountId) continue;
    const lifetime = days !== undefined && { days };
    const order = { kind, accountId, userId, createdBy, label: 'demo', scopes: held, ...lifetime };
    const { value } = await issueToken(ctx, order);
    kept.tokens[name] = value;
  }
}

async function ensureLens(ctx: Context): Promise<string> {
  const known = await ctx.db.findOneBy(Lens, { accountId: ctx.actor.accountId, title: subject });
  if (known) return known.id;
  const description = 'A short note about something new, for the people it is for.';
  const { lens } = await createLens(ctx, { title: subject, description, templateBody: template });
  return lens.id;
}

async function ensureWorkflow(ctx: Context, lensId: string): Promise<string> {
  const title = 'Product notes for several audiences';
  const known = await ctx.db.findOneBy(Workflow, { accountId: ctx.actor.accountId, title });
  if (known) return known.id;
  const params = { Product: { $: 'inputs.product' }, Audience: { $: 'item' } };
  const note = { nodes: [{ id: 'note', type: 'lens', settings: { lensId, params } }], edges: [] };
  const graph = {
    nodes: [
      { id: 'notes', type: 'map', settings: { items: 'inputs.audiences', concurrency: 3, graph: note } },
      { id: 'summary', type: 'transform', settings: { expression: '{"count": size(nodes.notes.output)}' } },
    ],
    edges: [{ from: 'notes', to: 'summary' }],
    inputs: {
      type: 'object',
      properties: {
        product: { type: 'string' },
        audiences: { type: 'array', items: { type: 'string' }, maxItems: 20 },
      },
      required: ['product', 'audiences'],
    },
    outputs: { count: 'nodes.summary.output.count', notes: 'nodes.notes.output' },
  };
  const { workflowId } = await createWorkflow(ctx, { title, graph });
  return workflowId;
}

/** The webhook endpoint of the launcher's receiver; replaces one of a start on other ports. */
async function ensureEndpoint(ctx: Context, url: string, ring: KeyRing): Promise<string> {
  const description = 'The receiver of the launcher';
  const known = await ctx.db.findBy(WebhookEndpoint, { accountId: ctx.actor.accountId, description });
  for (const endpoint of known.filter(({ disabledAt }) => disabledAt === null)) {
    try {
      if (endpoint.url === url) return openSecret(ring, endpoint, endpoint.secret);
    } catch {
      /* sealed under a master key that is gone */
    }
    await disableEndpoint(ctx, endpoint.id, 'owner');
  }
  const { secret } = await createEndpoint(ctx, { url, events: ['run.completed', 'run.failed'], description }, ring);
  return secret;
}

/**
 * Two users, their community, a lens, a workflow, tokens and a webhook endpoint, and samples if wanted; creates the
 * missing ones.
 */
export async function ensureDemoData({
  databaseUrl,
  databaseCa,
  home,
  masterKey,
  receiverUrl,
  samples = false,
}: Wanted): Promise<DemoData> {
  // Before the database is opened, which registers the entities that are loaded.
  const sampleData = samples ? await import('./samples/ensure-samples.js') : undefined;
  const source = await openDatabase({
    url: databaseUrl,
    ca: databaseCa,
    applicationName: 'dev',
    poolSize: 2,
    timeoutFactor: 10,
  });
  try {
    const ctx: Context = { actor: platformActor, db: source.manager, now: systemClock, requestId: newId() };
    const kept: Kept = { passwords: {}, tokens: {}, ...((await home.read(file)) as Partial<Kept> | undefined) };
    const alice = await ensureUser(ctx, 'alice', kept);
    await setOperator(ctx, { accountId: alice.lenserId, operator: true });
    const bob = await ensureUser(ctx, 'bob', kept);
    const owner = await ctx.db.findOneByOrFail(Account, { id: alice.lenserId });
    const community = await ensureAccount(ctx, 'community', 'demo-community', owner);
    await ctx.db.query(
      `insert into memberships (community_id, account_id, role) values ($1, $2, 'owner') on conflict do nothing`,
      [community.id, owner.id],
    );
    const person = ({ lenserId: accountId, userId }: typeof alice) =>
      ({ kind: 'developer', accountId, userId, held: developerScopes, days: 90 }) as const;
    const tool = ({ lenserId: accountId, userId }: typeof alice) =>
      ({ kind: 'mcp', accountId, userId, held: scopes }) as const;
    const ofCommunity = {
      accountId: community.id,
      createdBy: owner.id,
      held: ['lenses:read'],
      days: 365,
    } as const;
    await ensureTokens(
      ctx,
      [
        { name: 'developer', ...person(alice) },
        { name: 'developer2', ...person(bob) },
        { name: 'mcp', ...tool(alice) },
        { name: 'mcp2', ...tool(bob) },
        { name: 'organisation', kind: 'organisation', ...ofCommunity },
        { name: 'service', kind: 'service', ...ofCommunity },
      ],
      kept,
    );
    await home.write(file, kept);
    const lensId = await ensureLens(as(ctx, alice.lenserId));
    const workflowId = await ensureWorkflow(as(ctx, alice.lenserId), lensId);
    const ring = keyRing(readMasterKeys(masterKey));
    const webhookSecret = await ensureEndpoint(as(ctx, alice.lenserId), receiverUrl, ring);
    if (sampleData) {
      const owners = { alice: alice.lenserId, bob: bob.lenserId };
      await sampleData.ensureSamples(ctx, { ...owners, ring, failingUrl: `${new URL(receiverUrl).origin}/tickets` });
    }
    const users = [alice, bob].map(({ email, password, handle, lenserId }) => ({ email, password, handle, lenserId }));
    return { users, tokens: kept.tokens, lensId, workflowId, webhookSecret };
  } finally {
    await source.destroy();
  }
}
