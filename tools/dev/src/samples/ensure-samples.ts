import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { Account, createAccount } from '@lensforge/identity';
import { Lens } from '@lensforge/lenses';
import { Model } from '@lensforge/models';
import type { KeyRing } from '@lensforge/vault';
import { insertPastRuns } from './insert-past-runs.js';
import {
  type PastRows,
  type PastRunSources,
  addDigestRun,
  addLensRun,
  emptyRows,
  idAt,
  pastTimes,
} from './past-runs.js';
import { seededRandom } from './random.js';
import { agentsOfAlice, createContender } from './sample-agents.js';
import { type Contestant, sampleBattles } from './sample-battles.js';
import { type SampleLens, lensesOfAlice, lensesOfBob } from './sample-lenses.js';
import { sampleThreads } from './sample-threads.js';
import { failingEndpoint } from './sample-webhooks.js';
import { digestInputs, digestWorkflow, runDigest, triageWorkflow } from './sample-workflows.js';

export interface SampleSources {
  /** The account ids of the demo users. */
  alice: string;
  bob: string;
  ring: KeyRing;
  /** The address of the endpoint that fails. */
  failingUrl: string;
}

const dayMs = 86_400_000;
const grantOfThePast = 20_000;

/** The lens by which a database that has the samples is known. */
const marker = 'Support reply';

const names = [
  'carol',
  'dave',
  'erin',
  'frank',
  'grace',
  'heidi',
  'ivan',
  'judy',
  'mallory',
  'niaj',
  'olivia',
  'peggy',
  'rupert',
  'sybil',
  'trent',
  'victor',
] as const;

/**
 * Lenses, workflows, AI lensers, battles, threads, a failing webhook endpoint and the runs of a month, once for each
 * database: all or nothing. False when they were there. What can be made by a use case is made by it.
 */
export async function ensureSamples(ctx: Context, sources: SampleSources): Promise<boolean> {
  if (await ctx.db.existsBy(Lens, { accountId: sources.alice, title: marker })) return false;
  await inTransaction(ctx, (ctx) => makeSamples(ctx, sources));
  return true;
}

async function makeSamples(ctx: Context, { alice, bob, ring, failingUrl }: SampleSources): Promise<void> {
  const random = seededRandom(20_251_101);
  const now = ctx.now();
  const as = (accountId: string): Context => ({ ...ctx, actor: { ...ctx.actor, accountId } });
  const people = await peopleWithNames(ctx);
  const aliceLenses = await lensesOfAlice(as(alice));
  const bobLenses = await lensesOfBob(as(bob));
  const [reply, , triage, meeting] = aliceLenses;
  if (!reply || !triage || !meeting) throw new Error('lenses of the sample are missing');
  const digest = await digestWorkflow(as(alice), meeting);
  const rows = await pastRuns(ctx, { alice, bob, random, now, aliceLenses, bobLenses, digest });
  for (const accountId of [alice, bob]) await grantOfMonthAgo(ctx, accountId, now);
  await insertPastRuns(ctx, rows);
  await backdate(ctx, [...aliceLenses, ...bobLenses], now);
  await runDigest(as(alice), digest);
  await triageWorkflow(as(alice), triage);
  const { scribe, reviewer } = await agentsOfAlice(as(alice), {
    lens: reply,
    workflowId: digest.workflowId,
    notes: digestInputs,
  });
  const [carol, dave, erin, frank, ...voters] = people;
  if (!carol || !dave || !erin || !frank) throw new Error('people of the sample are missing');
  const agents = await createContestants(as, { alice, bob, carol, dave, erin, scribe, reviewer });
  const debaters = [carol, dave, erin, frank].map((id, at): Contestant => {
    const name = names[at] ?? '';
    return { id, ownerId: id, displayName: titled(name), isAi: false, strength: 2 - at * 0.6 };
  });
  const battleIds = await sampleBattles({ ctx, as, random, alice, bob, agents, people: debaters, voters });
  const [battleId = ''] = battleIds;
  await sampleThreads({ as, alice, bob, carol, dave, lensId: reply.lensId, battleId });
  await failingEndpoint(as(alice), { now, ring, url: failingUrl, failed: newestFailures(rows, alice) });
}

const titled = (handle: string): string => handle.replace(/^./, (letter) => letter.toUpperCase());

async function peopleWithNames(ctx: Context): Promise<string[]> {
  const ids: string[] = [];
  for (const handle of names) {
    const known = await ctx.db.findOneBy(Account, { handle });
    const account = known ?? (await createAccount(ctx, { kind: 'person', handle, displayName: titled(handle) }));
    ids.push(account.id);
  }
  return ids;
}

interface PastSources extends Pick<PastRunSources, 'now' | 'random'> {
  alice: string;
  bob: string;
  aliceLenses: readonly SampleLens[];
  bobLenses: readonly SampleLens[];
  digest: { workflowId: string; versionId: string };
}

/** The runs of a month: lens runs of both users, and one or two digests a week. */
async function pastRuns(ctx: Context, sources: PastSources): Promise<PastRows> {
  const { alice, bob, random, now, aliceLenses, bobLenses, digest } = sources;
  const all = await ctx.db.findBy(Model, { enabled: true });
  const models = all.filter(({ providerKey }) => ['offline', 'openai', 'anthropic', 'google'].includes(providerKey));
  const rows = emptyRows();
  const times = pastTimes({ now, random });
  for (const at of times) {
    const isAlice = random() < 0.75;
    const lenses = isAlice ? aliceLenses : bobLenses;
    addLensRun(rows, at, { now, random, accountId: isAlice ? alice : bob, lenses, models });
  }
  for (const at of times.filter((_, n) => n % 25 === 12)) {
    const text = meetingText(aliceLenses);
    addDigestRun(rows, at - 7_200_000, { random, accountId: alice, workflow: digest, inputs: digestInputs, text });
  }
  return rows;
}

const meetingText = (lenses: readonly SampleLens[]): string =>
  lenses.find(({ title }) => title === 'Summary of a meeting')?.answers[0] ?? '';

/** Credits from which the runs of the month were paid; the ledger begins with them. */
async function grantOfMonthAgo(ctx: Context, accountId: string, now: Date): Promise<void> {
  const at = new Date(now.getTime() - 32 * dayMs);
  await ctx.db.query(
    `insert into credit_entries (id, account_id, kind, debit, credit, amount, note, created_at)
     values ($1, $2, 'grant', 'platform', 'available', $3, 'demo', $4)`,
    [idAt(at.getTime()), accountId, grantOfThePast, at],
  );
  await ctx.db.query('update credit_accounts set available = available + $2 where account_id = $1', [
    accountId,
    grantOfThePast,
  ]);
}

/** Lenses are older than their runs. */
async function backdate(ctx: Context, lenses: readonly SampleLens[], now: Date): Promise<void> {
  const ids = lenses.map(({ lensId }) => lensId);
  await ctx.db.query(
    `update lenses set created_at = $2::timestamptz - n * interval '1 day'
       from unnest($1::uuid[]) with ordinality as x (lens_id, n) where id = lens_id`,
    [ids, new Date(now.getTime() - 32 * dayMs)],
  );
  await ctx.db.query(
    `update lens_versions v set created_at = $2::timestamptz - interval '30 days' + n * interval '9 days'
       from (select id, row_number() over (partition by lens_id order by id) as n from lens_versions
              where lens_id = any ($1)) x where v.id = x.id`,
    [ids, now],
  );
}

interface Owners {
  alice: string;
  bob: string;
  carol: string;
  dave: string;
  erin: string;
  scribe: string;
  reviewer: string;
}

async function createContestants(as: (id: string) => Context, owners: Owners): Promise<Contestant[]> {
  const { alice, bob, carol, dave, erin, scribe, reviewer } = owners;
  const others = [
    { ownerId: bob, handle: 'plain', displayName: 'Plain', bio: 'Short words, short sentences.', strength: 1.7 },
    { ownerId: carol, handle: 'poet', displayName: 'Poet', bio: 'Looks for one image.', strength: 1.1 },
    { ownerId: dave, handle: 'lawyer', displayName: 'Lawyer', bio: 'Leaves nothing open.', strength: 0.2 },
    { ownerId: erin, handle: 'teacher', displayName: 'Teacher', bio: 'Explains by examples.', strength: 2.1 },
  ];
  const made: Contestant[] = [
    { id: scribe, ownerId: alice, displayName: 'Scribe', isAi: true, strength: 1.4 },
    { id: reviewer, ownerId: alice, displayName: 'Reviewer', isAi: true, strength: 0.7 },
  ];
  for (const { ownerId, strength, ...traits } of others) {
    const id = await createContender(as(ownerId), traits);
    made.push({ id, ownerId, displayName: traits.displayName, isAi: true, strength });
  }
  return made;
}

/** The failed runs of the day before, as the failing endpoint got them. */
function newestFailures(rows: PastRows, accountId: string) {
  return rows.runs
    .filter((run) => run['account_id'] === accountId && run['status'] === 'failed')
    .slice(-8)
    .map((run) => ({
      id: String(run['id']),
      lensId: typeof run['lens_id'] === 'string' ? run['lens_id'] : null,
      code: String(run['error_code']),
      message: String(run['error_message']),
      at: Date.parse(String(run['completed_at'])),
    }));
}
