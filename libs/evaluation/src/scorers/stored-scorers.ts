import { isDeepStrictEqual } from 'node:util';
import type {
  ScorerCreated,
  ScorerReference,
  ScorerRemoved,
  ScorerRule,
  StoredScorer,
  UsedScorer,
} from '@lensforge/contracts';
import {
  type Context,
  DomainError,
  type Page,
  type PageRequest,
  badInput,
  decodeCursor,
  encodeCursor,
  newId,
  notFound,
  requireScope,
  toPage,
} from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { newSecret } from '@lensforge/webhooks';
import { readRule } from './read-rule.js';
import { eraseScorerCalls } from './scorer-calls.js';
import { ScorerRow, ScorerVersion } from './scorer.entity.js';
import { sealScorerSecret } from './scorer-secret.js';

/** Stores a scorer of the caller in its first version. */
export async function createScorer(
  ctx: Context,
  { name, rule: given }: { name: string; rule: ScorerRule },
): Promise<ScorerCreated> {
  requireScope(ctx, 'lenses:write');
  const rule = await readRule(ctx, given, 'rule');
  return inTransaction(ctx, async (ctx) => {
    const id = newId();
    const createdAt = ctx.now();
    const rows = await ctx.db.query<unknown[]>(
      `insert into scorers (id, account_id, name, version, created_at, updated_at) values ($1, $2, $3, 1, $4, $4)
       on conflict do nothing returning id`,
      [id, ctx.actor.accountId, name, createdAt],
    );
    if (rows.length === 0) {
      throw new DomainError('CONFLICT', `You have a scorer with the name ${name}: choose another one`);
    }
    const version: ScorerVersion = { scorerId: id, version: 1, rule, createdAt };
    await ctx.db.save(ScorerVersion, version);
    const secret = rule.kind === 'http' ? newSecret() : null;
    if (secret !== null) {
      const scorer = { id, accountId: ctx.actor.accountId };
      await ctx.db.update(ScorerRow, { id }, await sealScorerSecret(ctx, scorer, secret));
    }
    return { ...toScorer(await ctx.db.findOneByOrFail(ScorerRow, { id }), version), secret };
  });
}

/** Makes a new version of a scorer, unless the rule is that of the newest one. */
export async function updateScorer(
  ctx: Context,
  { scorerId, rule: given }: { scorerId: string; rule: ScorerRule },
): Promise<StoredScorer> {
  requireScope(ctx, 'lenses:write');
  const rule = await readRule(ctx, given, 'rule');
  return inTransaction(ctx, async (ctx) => {
    const row = await ctx.db.findOne(ScorerRow, {
      where: { id: scorerId, accountId: ctx.actor.accountId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) throw notFound('scorer', scorerId);
    const newest = await versionOf(ctx, row, row.version);
    if (newest.rule.kind !== rule.kind) throw badInput('rule.kind', `is ${newest.rule.kind}: store another scorer`);
    if (isDeepStrictEqual(newest.rule, rule)) return toScorer(row, newest);
    const createdAt = ctx.now();
    const version: ScorerVersion = { scorerId: row.id, version: row.version + 1, rule, createdAt };
    await ctx.db.save(ScorerVersion, version);
    await ctx.db.update(ScorerRow, { id: row.id }, { version: version.version, updatedAt: createdAt });
    return toScorer(row, version);
  });
}

/** A scorer of the caller in its newest or another version. */
export async function readScorer(
  ctx: Context,
  { scorerId, version }: { scorerId: string; version?: number | undefined },
): Promise<StoredScorer> {
  const row = await readableScorer(ctx, scorerId);
  return toScorer(row, await versionOf(ctx, row, version ?? row.version));
}

/** The scorers that an experiment names, as it uses them. */
export async function readStoredScorers(ctx: Context, references: readonly ScorerReference[]): Promise<UsedScorer[]> {
  const used: UsedScorer[] = [];
  for (const { id, version: wanted } of references) {
    const { name, version, rule } = await readScorer(ctx, { scorerId: id, version: wanted });
    used.push({ ...rule, name, scorerId: id, version });
  }
  return used;
}

/** Lists the scorers of the caller, the newest first. */
export async function listScorers(ctx: Context, page: PageRequest): Promise<Page<StoredScorer>> {
  requireScope(ctx, 'lenses:read');
  const found = ctx.db
    .createQueryBuilder(ScorerRow, 's')
    .where('s.accountId = :accountId', { accountId: ctx.actor.accountId })
    .orderBy('s.id', 'DESC')
    .limit(page.limit + 1)
    .offset(page.offset ?? 0);
  if (page.cursor !== undefined) found.andWhere('s.id < :before', { before: decodeCursor(page.cursor).id });
  const { items, ...rest } = toPage(await found.getMany(), page, ({ id, createdAt }) =>
    encodeCursor({ at: createdAt.toISOString(), id }),
  );
  const versions = await ctx.db.findBy(
    ScorerVersion,
    items.map(({ id: scorerId, version }) => ({ scorerId, version })),
  );
  return {
    ...rest,
    items: items.flatMap((row) => {
      const version = versions.find(({ scorerId }) => scorerId === row.id);
      return version ? [toScorer(row, version)] : [];
    }),
  };
}

/** Deletes a scorer of the caller; experiments have copies of its rules. */
export async function removeScorer(ctx: Context, scorerId: string): Promise<ScorerRemoved> {
  requireScope(ctx, 'lenses:write');
  const { affected } = await ctx.db.delete(ScorerRow, { id: scorerId, accountId: ctx.actor.accountId });
  if (affected === 0) throw notFound('scorer', scorerId);
  return { scorerId, removed: true };
}

/** Deletes all scorers of the caller, whose account is closed. */
export async function eraseScorers(ctx: Context): Promise<void> {
  await eraseScorerCalls(ctx);
  await ctx.db.delete(ScorerRow, { accountId: ctx.actor.accountId });
}

async function readableScorer(ctx: Context, id: string): Promise<ScorerRow> {
  requireScope(ctx, 'lenses:read');
  const row = await ctx.db.findOneBy(ScorerRow, { id, accountId: ctx.actor.accountId });
  if (!row) throw notFound('scorer', id);
  return row;
}

async function versionOf(ctx: Context, { id: scorerId }: ScorerRow, version: number): Promise<ScorerVersion> {
  const found = await ctx.db.findOneBy(ScorerVersion, { scorerId, version });
  if (!found) throw notFound('version of this scorer', String(version));
  return found;
}

const toScorer = (
  { id, name, createdAt }: ScorerRow,
  { version, rule, createdAt: at }: ScorerVersion,
): StoredScorer => ({
  id,
  name,
  version,
  rule,
  createdAt: createdAt.toISOString(),
  updatedAt: at.toISOString(),
});
