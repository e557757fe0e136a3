import type { ExperimentClone, ExperimentRequest, UsedScorer } from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { createExperiment } from './create-experiment.js';
import { readableExperiment } from './experiment-access.js';
import type { StoredExperiment } from './experiment.entity.js';

/** Repeats an experiment of the caller: with new answers, or with the same answers and other scorers. */
export async function cloneExperiment(
  ctx: Context,
  experimentId: string,
  { answers = 'new', ...changes }: ExperimentClone,
): Promise<{ id: string }> {
  const source = await readableExperiment(ctx, experimentId);
  const order = toRequest(source, changes);
  if (answers === 'new') return createExperiment(ctx, { ...order, ...toService(source) });
  const { revision, repetitions } = changes;
  if (revision !== undefined) throw badInput('revision', 'is not used with the same answers');
  if (repetitions !== undefined) throw badInput('repetitions', 'is not used with the same answers');
  if (source.completedAt === null) {
    throw new DomainError('CONFLICT', `The experiment is ${source.status}: score its answers again when it has ended`);
  }
  return createExperiment(ctx, order, { answersOf: source.id });
}

const toService = ({
  completeWithinMs,
}: StoredExperiment): Pick<ExperimentRequest, 'service' | 'completeWithinSeconds'> =>
  completeWithinMs === null ? {} : { service: 'batch', completeWithinSeconds: Number(completeWithinMs) / 1000 };

function toRequest(source: StoredExperiment, changes: Omit<ExperimentClone, 'answers'>): ExperimentRequest {
  const { name, lensId, workflowId, arms, datasetId, tag, baseline, concurrency, fundingSource, byokKeyId } = source;
  const { revision = source.revision, repetitions = source.repetitions } = changes;
  const gate = changes.gate === undefined ? source.gate : changes.gate;
  const budget = changes.budget ?? (source.budget === null ? undefined : Number(source.budget));
  const base = baseline === null ? undefined : arms[baseline]?.name;
  return {
    name: changes.name ?? name,
    target: { ...(lensId !== null && { lensId }), ...(workflowId !== null && { workflowId }) },
    arms: arms.map(({ name, versionId, modelOverride, sampling }) => ({
      name,
      version: versionId,
      ...(modelOverride !== null && { modelOverride }),
      ...(sampling && { sampling }),
    })),
    dataset: { id: datasetId, revision, ...(tag !== null && { tag }) },
    ...scorersOf(source.scorers, changes),
    repetitions,
    concurrency,
    tags: source.tags,
    ...(base !== undefined && { baseline: base }),
    ...(budget !== undefined && { budget }),
    ...(fundingSource !== null && { fundingSource }),
    ...(byokKeyId !== null && { byokKeyRefId: byokKeyId }),
    ...(gate !== null && { gate }),
  };
}

/** The scorers of the request, or else those of the source in the same versions. */
function scorersOf(
  used: readonly UsedScorer[],
  { scorers, storedScorers }: Pick<ExperimentClone, 'scorers' | 'storedScorers'>,
): Pick<ExperimentRequest, 'scorers' | 'storedScorers'> {
  if (scorers ?? storedScorers) return { scorers: scorers ?? [], storedScorers: storedScorers ?? [] };
  return { scorers: used.map(({ scorerId: _id, version: _version, ...scorer }) => scorer) };
}
