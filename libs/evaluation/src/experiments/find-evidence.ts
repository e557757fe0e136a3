import type { LabelEvidence } from '@lensforge/contracts';
import { listEqualVersions } from '@lensforge/lenses';
import type { FindEvidence, WantedEvidence } from '@lensforge/releases';
import { listEqualGraphs } from '@lensforge/workflows';
import { isDeepStrictEqual } from 'node:util';
import { StoredDataset } from '../dataset.entity.js';
import { type StoredArm, StoredExperiment } from './experiment.entity.js';

/** The newest experiments that are looked at when none is named. */
const newest = 100;

/** Finds the experiment of the caller whose gate the content of a version has passed. */
export const findEvidence: FindEvidence = async (ctx, wanted) => {
  const { datasetId } = wanted.gate;
  const dataset = await ctx.db.findOneBy(StoredDataset, { id: datasetId, accountId: ctx.actor.accountId });
  if (!dataset) return { missing: `its dataset ${datasetId} does not exist any more` };
  const same = new Set(await (wanted.kind === 'lens' ? listEqualVersions : listEqualGraphs)(ctx, wanted.versionId));
  const experiments = await ctx.db.find(StoredExperiment, {
    where: {
      accountId: ctx.actor.accountId,
      datasetId,
      status: 'completed',
      [wanted.kind === 'lens' ? 'lensId' : 'workflowId']: wanted.ownerId,
      ...(wanted.experimentId !== undefined && { id: wanted.experimentId }),
    },
    order: { id: 'desc' },
    take: newest,
  });
  let missing = 'no experiment of this version over its dataset has ended with one';
  for (const experiment of experiments) {
    const found = toEvidence(wanted, experiment, { revision: dataset.revision, same });
    if (!('missing' in found)) return found;
    ({ missing } = found);
  }
  return { missing };
};

function toEvidence(
  { gate }: WantedEvidence,
  { id, datasetId, revision, arms, baseline, outcome, tag, calls }: StoredExperiment,
  { revision: now, same }: { revision: number; same: ReadonlySet<string> },
): LabelEvidence | { missing: string } {
  const { maxRevisionsBehind = 0, rules: asked = [] } = gate;
  const arm = arms.find((each, index) => index !== baseline && same.has(each.versionId) && isAsReleased(each));
  if (!arm) {
    return { missing: `the experiment ${id} has no arm with this content and its own model beside the baseline` };
  }
  const { name } = arm;
  if (calls?.mode === 'replay') return { missing: `the experiment ${id} had answers of a recording` };
  if (tag !== null) return { missing: `the experiment ${id} had only the cases tagged ${tag}` };
  const behind = now - revision;
  if (behind > maxRevisionsBehind) {
    return { missing: `the experiment ${id} had revision ${revision} of the dataset, which is at ${now}` };
  }
  const results = (outcome?.rules ?? []).filter((each) => each.arm === name);
  const failed = results.find(({ result }) => result !== 'passed');
  if (results.length === 0) return { missing: `the experiment ${id} has no gate` };
  if (failed) return { missing: `the gate of the experiment ${id} is ${failed.result}: ${failed.reason}` };
  const absent = asked.find((rule) => !results.some((each) => isDeepStrictEqual({ ...each.rule }, { ...rule })));
  if (absent) return { missing: `the gate of the experiment ${id} lacks the rule ${JSON.stringify(absent)}` };
  return { experimentId: id, datasetId, revision, arm: name };
}

/** True for an arm whose answers are those of the version, with nothing that callers would not get. */
const isAsReleased = ({ modelOverride, sampling }: StoredArm): boolean =>
  modelOverride === null && sampling === undefined;
