import type { ArmResult, ExperimentStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, publishEvent, toJsonb } from '@lensforge/database';
import { isIn } from '../access.js';
import type { ScoreTable } from '../statistics/analyse.js';
import type { Analysis } from '../statistics/analysis-tasks.js';
import { analyseInSandbox } from '../statistics/analyse-in-sandbox.js';
import { appendStatus } from './experiment-events.js';
import { appendProgress } from './report-progress.js';
import type { StoredExperiment } from './experiment.entity.js';

/** Ends an experiment with its results, in the one pass that holds it. */
export async function concludeExperiment(
  ctx: Context,
  experiment: StoredExperiment,
  { status, reason = null }: { status: ExperimentStatus; reason?: string | null },
): Promise<void> {
  const { id, pass, accountId, scorers, gate, lensId, workflowId } = experiment;
  const usage = await readUsage(ctx, experiment);
  const analysis = await readAnalysis(ctx, experiment, usage);
  const { results, outcome } = await analyseInSandbox(analysis, accountId);
  const arms: ArmResult[] = experiment.arms.map(({ name }, arm) => ({
    arm: name,
    ...(usage[arm] as Usage),
    scorers: results[arm] ?? [],
  }));
  await inTransaction(ctx, async (ctx) => {
    const [, ended] = await ctx.db.query<[unknown, number]>(
      `update experiments set status = $3, reason = $4, results = $5, outcome = $6, completed_at = now(), pass_until = null,
              advanced_at = now()
        where id = $1 and pass = $2 and completed_at is null`,
      [id, pass, status, reason, toJsonb(arms), gate ? toJsonb(outcome) : null],
    );
    if (ended === 0) return;
    await appendProgress(ctx, experiment);
    await appendStatus(ctx, id, status, { reason, gate: outcome?.result ?? null });
    await publishEvent(ctx, accountId, 'experiment.completed', {
      experimentId: id,
      status,
      lensId,
      workflowId,
      gate: outcome?.result ?? null,
      scores: Object.fromEntries(
        arms.map((arm) => [
          arm.arm,
          Object.fromEntries(arm.scorers.map(({ score }, index) => [scorers[index]?.name ?? '', score.mean])),
        ]),
      ),
    });
  });
}

type Usage = Omit<ArmResult, 'arm' | 'scorers'>;

async function readUsage({ db }: Context, { id, arms }: StoredExperiment): Promise<Usage[]> {
  const judges = await readJudgeCredits(db, id);
  const rows = await db.query<(Omit<Usage, 'judgeCredits'> & { at: number })[]>(
    `select arm as at, count(*) filter (where state = 'scored')::int as answered,
            count(*) filter (where state = 'failed')::int as failed, coalesce(sum(credits), 0)::float8 as credits,
            coalesce(sum(token_input), 0)::float8 as "tokenInput", coalesce(sum(token_output), 0)::float8 as "tokenOutput",
            round(percentile_cont(0.5) within group (order by latency_ms) filter (where state = 'scored'))::int as "latencyP50Ms",
            round(percentile_cont(0.95) within group (order by latency_ms) filter (where state = 'scored'))::int as "latencyP95Ms"
       from experiment_cells where experiment_id = $1 group by arm`,
    [id],
  );
  return arms.map((_, index) => {
    const { at: _at, ...usage } = rows.find(({ at }) => at === index) ?? { ...nothing, at: index };
    return { ...usage, judgeCredits: judges.get(index) ?? 0 };
  });
}

/** The cost of judging the outputs of each arm. */
async function readJudgeCredits(db: Context['db'], experimentId: string): Promise<Map<number, number>> {
  const rows = await db.query<{ arm: number; credits: number }[]>(
    `select arm, sum(credits)::float8 as credits from experiment_judgements where experiment_id = $1 group by arm`,
    [experimentId],
  );
  return new Map(rows.map(({ arm, credits }) => [arm, credits]));
}

const nothing: Omit<Usage, 'judgeCredits'> = {
  answered: 0,
  failed: 0,
  credits: 0,
  tokenInput: 0,
  tokenOutput: 0,
  latencyP50Ms: null,
  latencyP95Ms: null,
};

interface ScoredRow {
  key: string;
  arm: number;
  repetition: number;
  /** null where a score could not be made. */
  scores: (number | null)[];
  passes: boolean[];
}

/** The scores of all cells, by case. Cells without a score count as 0. */
async function readAnalysis(ctx: Context, experiment: StoredExperiment, usage: readonly Usage[]): Promise<Analysis> {
  const { id, arms, scorers, repetitions, baseline, cases: count } = experiment;
  const cases = await readTaggedCases(ctx, experiment);
  const place = new Map(cases.map(({ key }, at) => [key, at]));
  const tables = arms.map(() =>
    scorers.map(() => ({
      scores: cases.map(() => new Array<number>(repetitions).fill(0)),
      passes: cases.map(() => new Array<boolean>(repetitions).fill(false)),
      errors: 0,
    })),
  );
  for await (const { key, arm, repetition, scores, passes } of everyScore(ctx, id)) {
    const at = place.get(key) ?? 0;
    for (const [index, table] of (tables[arm] ?? []).entries()) {
      (table.scores[at] as number[])[repetition - 1] = scores[index] ?? 0;
      (table.passes[at] as boolean[])[repetition - 1] = passes[index] ?? false;
      if ((scores[index] ?? null) === null) table.errors += 1;
    }
  }
  const missing = usage.map(({ answered }) => count * repetitions - answered);
  return {
    seed: Number.parseInt(id.slice(-8), 16),
    baseline,
    scorers: scorers.map(({ name }) => name),
    cases,
    arms: arms.map(({ name }, arm) => ({
      name,
      missing: missing[arm] ?? 0,
      creditsPerCase: (usage[arm]?.credits ?? 0) / count,
      latencyP95Ms: usage[arm]?.latencyP95Ms ?? null,
      tables: (tables[arm] ?? []).map((table): ScoreTable => ({
        ...table,
        errors: table.errors + (missing[arm] ?? 0),
      })),
    })),
    rules: experiment.gate?.rules ?? null,
  };
}

const readTaggedCases = (
  { db }: Context,
  { datasetId, revision, tag }: StoredExperiment,
): Promise<{ key: string; tags: string[] }[]> =>
  db.query(
    `select key, tags from dataset_cases c
      where dataset_id = $1 and ${isIn('c', '$2')} and ($3::text is null or $3 = any (tags))
      order by key`,
    [datasetId, revision, tag],
  );

const page = 5000;

/** The scores of an experiment, read in parts. */
async function* everyScore({ db }: Context, experimentId: string): AsyncGenerator<ScoredRow> {
  let last: ScoredRow | undefined;
  do {
    const rows: ScoredRow[] = await db.query(
      `select key, repetition, arm, scores, passes from experiment_cells
        where experiment_id = $1 and state = 'scored' and ($2::text is null or (key, repetition, arm) > ($2, $3, $4))
        order by key, repetition, arm limit $5`,
      [experimentId, last?.key ?? null, last?.repetition ?? null, last?.arm ?? null, page],
    );
    yield* rows;
    last = rows.length === page ? rows.at(-1) : undefined;
  } while (last);
}
