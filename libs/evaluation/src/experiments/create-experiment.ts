import {
  type ExperimentArmRequest,
  type ExperimentGate,
  type ExperimentRequest,
  type GateRule,
  type Scorer,
  maxCellsOfExperiment,
} from '@lensforge/contracts';
import { type Context, badInput, newId, requireScope } from '@lensforge/core';
import { inTransaction, storedAuthority, toJsonb } from '@lensforge/database';
import { atVersion, runnableLens, saveCandidate } from '@lensforge/lenses';
import { runnableWorkflow } from '@lensforge/workflows';
import { distance } from 'fastest-levenshtein';
import { isIn, pickRevision, readableDataset } from '../access.js';
import { readAssertions } from '../checks/read-assertions.js';
import type { StoredArm } from './experiment.entity.js';
import { wakeExperiment } from './wake-experiment.js';

const maxName = 200;
const usual = { concurrency: 25, repetitions: 1 } as const;

/** Stores an experiment; a worker starts its runs, with no more rights than the caller has. */
export async function createExperiment(ctx: Context, order: ExperimentRequest): Promise<{ id: string }> {
  requireScope(ctx, 'lenses:write');
  const { target, dataset, scorers, gate, repetitions = usual.repetitions } = order;
  const found = await readableDataset(ctx, dataset.id);
  const revision = pickRevision(found, dataset.revision);
  const { cases, names } = await readCases(ctx, { datasetId: found.id, revision, tag: dataset.tag });
  if (cases === 0) throw badInput('dataset', 'has no cases');
  const cells = cases * order.arms.length * repetitions;
  if (cells > maxCellsOfExperiment) {
    throw badInput('', `the experiment would have ${cells} cells, and it may have ${maxCellsOfExperiment}`);
  }
  checkScorers(scorers);
  return inTransaction(ctx, async (ctx) => {
    const arms = await readArms(ctx, order, names);
    const baseline = findBaseline(arms, order.baseline);
    if (gate) checkGate(gate, { scorers, hasBaseline: baseline !== null, arms: arms.length });
    await storedAuthority(ctx);
    const id = newId();
    await ctx.db.query(
      `insert into experiments (id, account_id, asked_by, request_id, traceparent, name, status, lens_id, workflow_id, dataset_id,
                                revision, tag, arms, baseline, scorers, repetitions, cases, concurrency, budget, funding_source,
                                byok_key_id, gate, tags, created_at)
       values ($1, $2, $3, $4, $5, $6, 'running', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
      [
        id,
        ctx.actor.accountId,
        toJsonb(ctx.actor),
        ctx.requestId,
        ctx.traceparent ?? null,
        order.name ??
          arms
            .map(({ name }) => name)
            .join(' / ')
            .slice(0, maxName),
        target.lensId ?? null,
        target.workflowId ?? null,
        found.id,
        revision,
        dataset.tag ?? null,
        toJsonb(arms),
        baseline,
        toJsonb(scorers),
        repetitions,
        cases,
        order.concurrency ?? usual.concurrency,
        order.budget ?? null,
        order.fundingSource ?? null,
        order.byokKeyRefId ?? null,
        gate ? toJsonb(gate) : null,
        [...new Set(order.tags)],
        ctx.now(),
      ],
    );
    await wakeExperiment(ctx, id);
    return { id };
  });
}

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
  { target, arms }: ExperimentRequest,
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
        : await readLensArm(ctx, lensId, arm, { path, names });
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

async function readLensArm(
  ctx: Context,
  lensId: string,
  { version, candidate }: ExperimentArmRequest,
  { path, names }: { path: string; names: readonly string[] },
): Promise<PinnedVersion> {
  if (version !== undefined && candidate) throw badInput(path, 'has a version or a candidate, not both');
  const newest = await runnableLens(ctx, lensId);
  const saved = candidate && (await saveCandidate(ctx, { lensId: newest.id, ...candidate }));
  const named = saved?.versionId ?? version;
  const { version: found } = named === undefined ? newest : await atVersion(ctx.db, newest, named);
  const labels = found.params.map(({ label }) => label);
  const unknown = names.find((name) => !labels.includes(name));
  if (unknown !== undefined)
    throw badInput(path, `version ${found.semver} has no parameter ${unknown}${suggest(unknown, labels)}`);
  return { versionId: found.id, version: found.semver, isCandidate: saved?.isCandidate ?? false };
}

function suggest(name: string, labels: readonly string[]): string {
  const [nearest] = labels.toSorted((one, other) => distance(one, name) - distance(other, name));
  return nearest === undefined ? '' : `: is ${nearest} meant?`;
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
  const { versionId, number } = await runnableWorkflow(ctx, workflowId, version);
  return { versionId, version: String(number), isCandidate: false };
}

function findBaseline(arms: readonly StoredArm[], name: string | undefined): number | null {
  if (name === undefined) return null;
  const index = arms.findIndex((arm) => arm.name === name);
  if (index < 0) throw badInput('baseline', `is none of the arms ${arms.map((arm) => arm.name).join(', ')}`);
  return index;
}

function checkScorers(scorers: readonly Scorer[]): void {
  for (const [index, { name, assertions = [] }] of scorers.entries()) {
    const path = `scorers.${index}`;
    if (scorers.findIndex((other) => other.name === name) < index) {
      throw badInput(`${path}.name`, `there are two scorers ${name}`);
    }
    readAssertions(assertions, `${path}.assertions`);
  }
}

const about = ['min', 'noProvenLoss', 'provenNoWorse'] as const;
const others = ['noNewFailures', 'maxCreditsPerCase', 'maxLatencyP95Ms'] as const;

/** Each rule has one condition, about a scorer that exists, and a baseline if it compares with one. */
function checkGate(
  { rules }: ExperimentGate,
  { scorers, hasBaseline, arms }: { scorers: readonly Scorer[]; hasBaseline: boolean; arms: number },
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
  { path, scorers }: { path: string; scorers: readonly Scorer[] },
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
