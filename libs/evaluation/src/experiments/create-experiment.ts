import {
  type ExperimentArmRequest,
  type ExperimentGate,
  type ExperimentRequest,
  type FundingSource,
  type GateRule,
  type LensSettings,
  type UsedScorer,
  batchProviders,
  maxCellsOfExperiment,
  didYouMean,
} from '@lensforge/contracts';
import { type Context, badInput, newId, requireScope } from '@lensforge/core';
import { inTransaction, storedAuthority } from '@lensforge/database';
import { applySettings, atVersion, getLens, runnableLens, saveCandidate } from '@lensforge/lenses';
import { chooseModel, toModelName } from '@lensforge/models';
import { getWorkflow, runnableWorkflow } from '@lensforge/workflows';
import { isIn, pickRevision, readableDataset } from '../access.js';
import { createRecording, findCache, readableRecording } from '../recordings/recordings.js';
import { readRule } from '../scorers/read-rule.js';
import { readStoredScorers } from '../scorers/stored-scorers.js';
import { type StoredArm, StoredExperiment } from './experiment.entity.js';
import { appendStatus } from './experiment-events.js';
import { wakeExperiment } from './wake-experiment.js';

const maxName = 200;
const usual = { concurrency: 25, repetitions: 1 } as const;

/** Stores an experiment; a worker starts its runs, with no more rights than the caller has. */
export async function createExperiment(
  ctx: Context,
  order: ExperimentRequest,
  { answersOf }: { answersOf?: string } = {},
): Promise<{ id: string }> {
  requireScope(ctx, 'lenses:write');
  const { target, dataset, gate, repetitions = usual.repetitions } = order;
  const found = await readableDataset(ctx, dataset.id);
  const revision = pickRevision(found, dataset.revision);
  const { cases, names } = await readCases(ctx, { datasetId: found.id, revision, tag: dataset.tag });
  if (cases === 0) throw badInput('dataset', 'has no cases');
  const cells = cases * order.arms.length * repetitions;
  if (cells > maxCellsOfExperiment) {
    throw badInput('', `the experiment would have ${cells} cells, and it may have ${maxCellsOfExperiment}`);
  }
  const scorers = await readScorers(ctx, order);
  return inTransaction(ctx, async (ctx) => {
    const arms = await readArms(ctx, order, names);
    const baseline = findBaseline(arms, order.baseline);
    if (baseline === null) refusePairwise(scorers);
    if (gate) checkGate(gate, { scorers, hasBaseline: baseline !== null, arms: arms.length });
    await storedAuthority(ctx);
    const id = newId();
    const calls = await readCalls(ctx, order);
    const completeWithinMs = readService(order);
    await ctx.db.save(StoredExperiment, {
      id,
      accountId: ctx.actor.accountId,
      askedBy: ctx.actor,
      requestId: ctx.requestId,
      traceparent: ctx.traceparent ?? null,
      name: order.name ?? usualName(arms),
      status: 'running',
      lensId: target.lensId ?? null,
      workflowId: target.workflowId ?? null,
      datasetId: found.id,
      revision,
      tag: dataset.tag ?? null,
      arms,
      baseline,
      scorers,
      repetitions,
      cases,
      concurrency: order.concurrency ?? usual.concurrency,
      budget: order.budget === undefined ? null : String(order.budget),
      fundingSource: order.fundingSource ?? null,
      byokKeyId: order.byokKeyRefId ?? null,
      gate: gate ?? null,
      calls,
      completeWithinMs,
      answersOf: answersOf ?? null,
      isPlanned: answersOf !== undefined,
      tags: [...new Set(order.tags)],
      createdAt: ctx.now(),
    });
    if (answersOf !== undefined) await copyAnswers(ctx, { from: answersOf, to: id });
    await appendStatus(ctx, id, 'running');
    await wakeExperiment(ctx, id);
    return { id };
  });
}

const usualWindowSeconds = 86_400;

/** The time in which batch services answer; null for live answers. */
function readService({ service = 'live', completeWithinSeconds, ...order }: ExperimentRequest): string | null {
  if (service === 'live') {
    if (completeWithinSeconds !== undefined) throw badInput('completeWithinSeconds', 'is for the service batch');
    return null;
  }
  if (order.target.workflowId !== undefined) throw badInput('service', 'batch is for lenses: workflows ask live');
  if (order.fundingSource === 'sponsored' || order.fundingSource === 'user_byok_local') {
    throw badInput('fundingSource', `${order.fundingSource} cannot pay for the service batch`);
  }
  const rule = order.gate?.rules.findIndex(({ maxLatencyP95Ms }) => maxLatencyP95Ms !== undefined) ?? -1;
  if (rule >= 0) throw badInput(`gate.rules.${rule}`, 'maxLatencyP95Ms tells nothing about answers of a batch');
  return String((completeWithinSeconds ?? usualWindowSeconds) * 1000);
}

/** An arm whose model has no batch service is refused before anything starts. */
async function requireBatchService(
  { db }: Context,
  settings: LensSettings | null,
  {
    modelOverride,
    fundingSource,
    path,
  }: { modelOverride: string | undefined; fundingSource: FundingSource | undefined; path: string },
): Promise<void> {
  if (settings?.tools) throw badInput(path, 'has tools, whose results a batch cannot get: use the service live');
  const wish = applySettings(settings, { modelOverride });
  const model = await chooseModel(db, { modelOverride: wish.modelOverride, preferred: wish.preferred, fundingSource });
  if (batchProviders.includes(model.providerKey)) return;
  throw badInput(
    path,
    `the model ${toModelName(model)} has no batch service: use one of ${batchProviders.join(', ')}, or the service live`,
  );
}

const usualAgeSeconds = 86_400;

/** The policy for the calls of its runs; null for live ones. */
async function readCalls(
  ctx: Context,
  { cache = 'off', recordingId: named, maxAgeSeconds, name }: ExperimentRequest,
): Promise<StoredExperiment['calls']> {
  if (named !== undefined && cache !== 'record' && cache !== 'replay') {
    throw badInput('recordingId', `is not used with the cache ${cache}`);
  }
  if (maxAgeSeconds !== undefined && cache !== 'read') throw badInput('maxAgeSeconds', 'is for the cache read');
  if (cache === 'off') return null;
  if (cache === 'read') {
    return { mode: 'read', recordingId: await findCache(ctx), maxAgeMs: (maxAgeSeconds ?? usualAgeSeconds) * 1000 };
  }
  if (named === undefined && cache === 'replay') throw badInput('recordingId', 'is required with the cache replay');
  const known = named === undefined ? undefined : await readableRecording(ctx, named);
  return { mode: cache, recordingId: known?.id ?? (await createRecording(ctx, name ?? 'Recording')) };
}

const usualName = (arms: readonly StoredArm[]): string =>
  arms
    .map(({ name }) => name)
    .join(' / ')
    .slice(0, maxName);

/** Cells with the runs of another experiment; they are scored as if their runs had just ended. */
const copyAnswers = ({ db }: Context, { from, to }: { from: string; to: string }): Promise<unknown> =>
  db.query(
    `insert into experiment_cells (experiment_id, key, repetition, arm, run_id, error, state)
     select $1, key, repetition, arm, run_id, error, case when run_id is null then 'failed' else 'waiting' end
       from experiment_cells where experiment_id = $2 and state in ('judging', 'scored', 'failed')`,
    [to, from],
  );

/** The number of cases, and the names of their parameters. */
async function readCases(
  { db }: Context,
  { datasetId, revision, tag }: { datasetId: string; revision: number; tag: string | undefined },
): Promise<{ cases: number; names: string[] }> {
  const [found] = await db.query<[{ cases: number; names: string[] }]>(
    `with found as materialized (
       select params from dataset_cases c
        where dataset_id = $1 and ${isIn('c', '$2')} and ($3::text is null or $3 = any (tags)))
     select count(*)::int as cases,
            (select coalesce(json_agg(distinct name), '[]') from found f, jsonb_object_keys(f.params) name) as names
       from found`,
    [datasetId, revision, tag ?? null],
  );
  return found;
}

/** Pins the versions of the arms, and checks that they have the parameters of the cases. */
async function readArms(
  ctx: Context,
  { target, arms, service, fundingSource }: ExperimentRequest,
  names: readonly string[],
): Promise<StoredArm[]> {
  const { lensId, workflowId } = target;
  if ((lensId === undefined) === (workflowId === undefined)) throw badInput('target', 'names a lens or a workflow');
  const read: StoredArm[] = [];
  for (const [index, arm] of arms.entries()) {
    const path = `arms.${index}`;
    const found =
      lensId === undefined
        ? await readWorkflowArm(ctx, workflowId ?? '', arm, path)
        : await readLensArm(ctx, lensId, arm, {
            path,
            names,
            ...(service === 'batch' && { batch: { fundingSource } }),
          });
    const name = arm.name ?? found.version;
    if (read.some((other) => other.name === name)) throw badInput(`${path}.name`, `there are two arms ${name}`);
    read.push({
      ...found,
      name,
      modelOverride: arm.modelOverride ?? null,
      ...(arm.sampling && { sampling: arm.sampling }),
    });
  }
  return read;
}

type PinnedVersion = Pick<StoredArm, 'versionId' | 'version' | 'isCandidate'>;

interface LensArmCheck {
  path: string;
  /** The parameters of the cases. */
  names: readonly string[];
  /** Set with the service batch. */
  batch?: { fundingSource: FundingSource | undefined };
}

async function readLensArm(
  ctx: Context,
  lensId: string,
  { version, candidate, modelOverride }: ExperimentArmRequest,
  { path, names, batch }: LensArmCheck,
): Promise<PinnedVersion> {
  if (version !== undefined && candidate) throw badInput(path, 'has a version or a candidate, not both');
  const lens = await runnableLens(ctx, lensId);
  const saved = candidate && (await saveCandidate(ctx, { lensId: lens.id, ...candidate }));
  const named = saved?.versionId ?? version ?? (await getLens(ctx, lens.id)).headVersion.id;
  const { version: found } = await atVersion(ctx.db, lens, named);
  const labels = found.params.map(({ label }) => label);
  const unknown = names.find((name) => !labels.includes(name));
  if (unknown !== undefined)
    throw badInput(path, `version ${found.semver} has no parameter ${unknown}${didYouMean(unknown, labels)}`);
  if (batch) await requireBatchService(ctx, found.settings, { ...batch, modelOverride, path });
  return { versionId: found.id, version: found.semver, isCandidate: saved?.isCandidate ?? false };
}

async function readWorkflowArm(
  ctx: Context,
  workflowId: string,
  { version, candidate, sampling }: ExperimentArmRequest,
  path: string,
): Promise<PinnedVersion> {
  requireScope(ctx, 'workflows:write');
  if (candidate) throw badInput(`${path}.candidate`, 'is for lenses: save the graph as a version');
  if (sampling) throw badInput(`${path}.sampling`, 'is for lenses');
  const named = version ?? (await getWorkflow(ctx, workflowId)).headVersion.id;
  const { versionId, number } = await runnableWorkflow(ctx, workflowId, named);
  return { versionId, version: String(number), isCandidate: false };
}

function findBaseline(arms: readonly StoredArm[], name: string | undefined): number | null {
  if (name === undefined) return null;
  const index = arms.findIndex((arm) => arm.name === name);
  if (index < 0) throw badInput('baseline', `is none of the arms ${arms.map((arm) => arm.name).join(', ')}`);
  return index;
}

const maxScorers = 20;

async function readScorers(
  ctx: Context,
  { scorers = [], storedScorers = [] }: Pick<ExperimentRequest, 'scorers' | 'storedScorers'>,
): Promise<UsedScorer[]> {
  const count = scorers.length + storedScorers.length;
  if (count === 0 || count > maxScorers)
    throw badInput('scorers', `and storedScorers have 1 to ${maxScorers} together`);
  const used: UsedScorer[] = [];
  for (const [index, { name, ...rule }] of scorers.entries()) {
    if (rule.kind === 'http')
      throw badInput(`scorers.${index}.kind`, 'http is for stored scorers, which have a secret');
    used.push({ ...(await readRule(ctx, rule, `scorers.${index}`)), name, scorerId: null, version: null });
  }
  used.push(...(await readStoredScorers(ctx, storedScorers)));
  const twice = used.findIndex(({ name }, index) => used.findIndex((other) => other.name === name) < index);
  if (twice < 0) return used;
  const path = twice < scorers.length ? `scorers.${twice}.name` : `storedScorers.${twice - scorers.length}`;
  throw badInput(path, `there are two scorers ${used[twice]?.name}`);
}

function refusePairwise(scorers: readonly UsedScorer[]): void {
  const found = scorers.find(({ kind }) => kind === 'pairwise');
  if (found) throw badInput('baseline', `is required: the scorer ${found.name} compares with it`);
}

const about = ['min', 'noProvenLoss', 'provenNoWorse'] as const;
const others = ['noNewFailures', 'maxCreditsPerCase', 'maxLatencyP95Ms'] as const;

/** Each rule has one condition, about a scorer that exists, and a baseline if it compares with one. */
function checkGate(
  { rules }: ExperimentGate,
  { scorers, hasBaseline, arms }: { scorers: readonly UsedScorer[]; hasBaseline: boolean; arms: number },
): void {
  for (const [index, rule] of rules.entries()) {
    const path = `gate.rules.${index}`;
    const given = [...about, ...others].filter((name) => rule[name] !== undefined);
    const [condition] = given;
    if (condition === undefined || given.length > 1) {
      throw badInput(path, `has one of ${[...about, ...others].join(', ')}`);
    }
    checkRule(rule, condition, { path, scorers });
    if (comparing.has(condition) && !hasBaseline) throw badInput(path, `${condition} needs a baseline`);
  }
  if (hasBaseline && arms === 1) throw badInput('gate', 'needs an arm beside the baseline');
}

const comparing: ReadonlySet<string> = new Set(['noProvenLoss', 'provenNoWorse', 'noNewFailures']);

function checkRule(
  { scorer, tags }: GateRule,
  condition: (typeof about)[number] | (typeof others)[number],
  { path, scorers }: { path: string; scorers: readonly UsedScorer[] },
): void {
  const isAbout = about.some((name) => name === condition);
  if (isAbout !== (scorer !== undefined)) {
    throw badInput(`${path}.scorer`, isAbout ? `is required with ${condition}` : `is not used with ${condition}`);
  }
  if (scorer !== undefined && !scorers.some(({ name }) => name === scorer)) {
    throw badInput(`${path}.scorer`, `is none of ${scorers.map(({ name }) => name).join(', ')}`);
  }
  if (tags && condition !== 'noNewFailures') throw badInput(`${path}.tags`, 'is for noNewFailures');
}
