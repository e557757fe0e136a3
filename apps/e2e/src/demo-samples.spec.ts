import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyAudit } from '@lensforge/audit';
import { type Context, platformActor } from '@lensforge/core';
import { ledgerFaults } from '@lensforge/credits';
import { openDatabase } from '@lensforge/database';
import { type SampleSources, ensureSamples } from '@lensforge/dev/testing';
import { anAccount } from '@lensforge/identity/testing';
import { runFaults } from '@lensforge/runs';
import { sequenceFaults } from '@lensforge/runs/testing';
import { type FreshDatabase, aContext, freshDatabase } from '@lensforge/testing';
import { keyRing } from '@lensforge/vault';
import type { DataSource } from 'typeorm';

describe('the samples of npm start', () => {
  let database: FreshDatabase;
  let source: DataSource;
  let ctx: Context;
  let sources: SampleSources;

  const counts = async (sql: string): Promise<Record<string, number>> => {
    const rows = await ctx.db.query<{ name: string; count: number }[]>(sql);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };

  beforeAll(async () => {
    database = await freshDatabase();
    source = await openDatabase({
      url: database.url,
      applicationName: 'samples',
    });
    ctx = { ...aContext(source.manager), actor: platformActor };
    const [alice, bob] = [await anAccount(ctx), await anAccount(ctx)];
    for (const { id } of [alice, bob]) {
      await ctx.db.query('insert into credit_accounts (account_id) values ($1)', [id]);
    }
    const ring = keyRing([{ version: 1, key: randomBytes(32).toString('base64') }]);
    sources = { alice: alice.id, bob: bob.id, ring, failingUrl: 'https://tickets.example.com/hooks' };
    expect(await ensureSamples(ctx, sources)).toBe(true);
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it('have hundreds of runs of a month, of each status, with costs and workflow runs', async () => {
    const statuses = await counts('select status as name, count(*)::int as count from runs group by status');
    expect(statuses['succeeded']).toBeGreaterThan(200);
    for (const status of ['failed', 'canceled', 'timed_out']) expect(statuses[status]).toBeGreaterThan(0);
    const [found] = await ctx.db.query<object[]>(
      `select count(distinct created_at::date)::int > 25 as "isSpread", min(created_at) > now() - interval '32 days' as "isMonth",
              count(distinct model_id)::int > 5 as "hasModels", count(distinct lens_id)::int > 5 as "hasLenses",
              sum(credit_cost)::int > 200 as "hasCosts",
              count(*) filter (where kind = 'workflow' and status = 'succeeded')::int > 5 as "hasDigests" from runs`,
    );
    expect(found).toEqual({
      isSpread: true,
      isMonth: true,
      hasModels: true,
      hasLenses: true,
      hasCosts: true,
      hasDigests: true,
    });
  });

  it('have battles in each status, and published ones with votes for leaderboards', async () => {
    const statuses = await counts('select status as name, count(*)::int as count from battles group by status');
    expect(Object.keys(statuses).sort()).toEqual(
      ['archived', 'closed', 'draft', 'executing', 'open', 'published', 'scoring', 'voting'].sort(),
    );
    expect(statuses['published']).toBeGreaterThan(10);
    expect(statuses['voting']).toBeGreaterThan(2);
    const votes = await counts(
      `select battle_type as name, count(*)::int as count from battle_votes v join battles b on b.id = v.battle_id
        where b.status = 'published' group by battle_type`,
    );
    expect(votes['ai_vs_ai']).toBeGreaterThan(60);
    expect(votes['human_vs_human_open_votes']).toBeGreaterThan(20);
  });

  it('have versions, labels, schedules, approvals, threads and deliveries that failed', async () => {
    const [found] = await ctx.db.query<Record<string, number>[]>(
      `select (select count(*)::int from lens_versions) as versions, (select count(*)::int from lens_labels) as labels,
              (select count(*)::int from schedules) as schedules,
              (select count(*)::int from agent_tools) as tools,
              (select count(*)::int from agent_actions where verdict = 'ask') as "agentApprovals",
              (select count(*)::int from runs where waits_for = 'approval') as "teamRuns",
              (select count(*)::int from thread_messages) as messages,
              (select count(*)::int from webhook_deliveries where state = 'exhausted') as deliveries,
              (select count(*)::int from webhook_attempts) as attempts`,
    );
    expect(found).toMatchObject({ schedules: 2, agentApprovals: 1, teamRuns: 1, deliveries: 8, attempts: 32 });
    expect(found?.['versions']).toBeGreaterThan(10);
    expect(found?.['labels']).toBeGreaterThan(5);
    expect(found?.['messages']).toBeGreaterThan(10);
    expect(found?.['tools']).toBeGreaterThan(8);
  });

  it('violate no invariant', async () => {
    expect(await runFaults(ctx, { lateMs: 60_000, latest: 5000 })).toEqual({
      stuck: 0,
      unsettled: 0,
      brokenEvents: 0,
      unsent: 0,
    });
    expect(await ledgerFaults(ctx.db)).toEqual([]);
    expect(await sequenceFaults(ctx)).toEqual([]);
    expect(await verifyAudit(ctx.db)).toMatchObject({ broken: 0, breaks: [] });
  });

  it('are made once', async () => {
    const sizes = (): Promise<object[]> =>
      ctx.db.query(
        `select (select count(*) from runs) as runs, (select count(*) from accounts) as accounts,
                (select count(*) from battles) as battles, (select count(*) from audit_entries) as audited`,
      );
    const before = await sizes();
    expect(await ensureSamples(ctx, sources)).toBe(false);
    expect(await sizes()).toEqual(before);
  });
});
