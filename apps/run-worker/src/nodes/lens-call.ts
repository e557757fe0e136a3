import { type Sampling, isReplayed } from '@lensforge/contracts';
import { withDbRetry } from '@lensforge/database';
import {
  type StoredVersion,
  applySettings,
  chooseVersionOf,
  leavesModelOpen,
  servedAt,
  runnableLens,
} from '@lensforge/lenses';
import { type ChosenModel, chooseModel, imagesIn, modelById, readModelRequest } from '@lensforge/models';
import { stickyHashOf } from '@lensforge/releases';
import { type Funding, byokKeyChoice, decideFunding, readLensOrder, restrictModels, sponsorFor } from '@lensforge/runs';
import type { LensSettings } from '@lensforge/workflows';
import { type RequestOfLens, promptOfLens } from '../engine/request-model.js';
import type { NodeWork } from './node-type.js';

type Work = NodeWork<LensSettings>;

/** The request of a lens node to its model, and what pays for it. */
export interface LensCall {
  prompt: RequestOfLens;
  outputSchema: Record<string, unknown> | undefined;
  sampling: Sampling | undefined;
  model: ChosenModel;
  /** The models that a sponsor pays for; all when left out. */
  allowedModels: readonly string[] | undefined;
  fundingFor: (estimate: number) => Funding;
  /** The limit of the time of workers. */
  activeMs: number | undefined;
}

export interface LensInput {
  lensId: string;
  params: Readonly<Record<string, unknown>>;
}

interface Wish {
  versionId: string;
  modelOverride?: string | undefined;
  preferred?: readonly string[] | undefined;
  outputSchema: Record<string, unknown> | undefined;
  sampling: Sampling | undefined;
  /** The model that goes before all others. */
  modelId: string | null;
  activeMs?: number | undefined;
}

/** True for the only node of a run of a lens. */
export const isRunOfLens = ({ run }: Pick<Work, 'run'>): boolean => run.workflowId === null;

export async function readLensCall(work: Work, { lensId, params }: LensInput): Promise<LensCall> {
  const { owner, run } = work;
  const { versionId, modelId, activeMs, ...call } = await (isRunOfLens(work) ? wishOfRun(work) : wishOfNode(work));
  const { modelOverride, preferred, outputSchema, sampling } = call;
  const prompt = await promptOfLens(owner, { lensVersionId: versionId, params });
  const payer = { fundingSource: run.fundingSource ?? undefined, byokKeyRefId: run.byokKeyId ?? undefined };
  const key = await withDbRetry(() => byokKeyChoice(owner, payer));
  const sponsor = await withDbRetry(() => sponsorFor(owner, payer, lensId));
  const allowed = sponsor?.models ?? undefined;
  const { needs } = readModelRequest({ params: {}, outputSchema, sampling, fixedImages: imagesIn(prompt) });
  if (prompt.settings?.tools) needs.push('tools');
  const replayed = isReplayed(run.cause);
  const named = { modelOverride, preferred, needs, allowed, isReplayed: replayed };
  const criteria = { ...payer, ...restrictModels(key, { modelOverride }), ...named };
  const first = modelId === null ? undefined : await withDbRetry(() => modelById(owner.db, modelId, criteria));
  const model = first ?? (await withDbRetry(() => chooseModel(owner.db, criteria)));
  return {
    prompt,
    outputSchema,
    sampling,
    model,
    allowedModels: allowed,
    fundingFor: (estimate) =>
      decideFunding(owner, { request: payer, key, sponsor, model, estimate, isReplayed: replayed }),
    activeMs,
  };
}

/** The order with which the run was accepted. */
async function wishOfRun({ owner, run }: Work): Promise<Wish> {
  const order = await withDbRetry(() => readLensOrder(owner, run.runId));
  const { lensVersionId: versionId, modelId, outputSchema, sampling, executionMs } = order;
  if (versionId === null) throw new Error(`run ${run.runId} has no lens version`);
  return {
    versionId,
    modelId,
    activeMs: executionMs ?? undefined,
    outputSchema: outputSchema ?? undefined,
    sampling: sampling ?? undefined,
  };
}

/** The settings of the lens and its node. The model of the run goes first, where the lens leaves the choice open. */
async function wishOfNode(work: Work): Promise<Wish> {
  const version = await readNodeVersion(work);
  const { modelOverride, preferred, outputSchema, sampling } = applySettings(version.settings, {
    modelOverride: work.settings.model,
  });
  const modelId = leavesModelOpen(version.settings) ? work.run.modelId : null;
  return { versionId: version.id, modelOverride, preferred, outputSchema, sampling, modelId };
}

/** The version in the settings, or else the newest one at the time when the run was accepted. */
async function readNodeVersion({ settings, owner, run }: Work): Promise<StoredVersion> {
  const { lensId, version: name } = settings;
  const { acceptedAt: moment } = run;
  const stickyHash = stickyHashOf(owner, run.stickyHash);
  const lens = await withDbRetry(() => runnableLens(owner, lensId));
  return withDbRetry(async () =>
    name === undefined
      ? servedAt(owner.db, lens, { moment, stickyHash })
      : (await chooseVersionOf(owner.db, lens, { name, stickyHash })).version,
  );
}
