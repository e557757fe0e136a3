import type { Context } from '@lensforge/core';
import { acceptWorkflowRun } from '@lensforge/runs';
import { createSchedule, createWorkflow, listWorkflowVersions, saveGraph } from '@lensforge/workflows';
import { type SampleWorkflow, digestQuestion } from './past-runs.js';
import type { SampleLens } from './sample-lenses.js';

/** The free model of the platform, which needs no key of a provider. */
export const offlineModel = 'offline/echo';

const notes = 'Ada: the beta opens on Monday. Ben: I write to the first ten teams. Ada: prices follow in May.';

/** The inputs of the runs of the digest. */
export const digestInputs = { notes };

const text = { type: 'string' } as const;
const inputs = { type: 'object', properties: { notes: text }, required: ['notes'] } as const;

const draft = (lensId: string) => ({
  id: 'draft',
  type: 'lens',
  settings: { lensId, version: 'production', params: { Transcript: { $: 'inputs.notes' } } },
});
const ask = {
  id: 'ask',
  type: 'approval',
  settings: {
    message: digestQuestion,
    data: { $: 'nodes.draft.output' },
    expiresInSeconds: 604_800,
    onReject: 'fail',
  },
};
const publish = {
  id: 'publish',
  type: 'transform',
  settings: { expression: '{"text": nodes.draft.output.text}' },
};

async function withVersion(ctx: Context, workflowId: string): Promise<SampleWorkflow> {
  const [newest] = (await listWorkflowVersions(ctx, { workflowId, limit: 1 })).versions;
  if (!newest) throw new Error(`workflow ${workflowId} has no version`);
  return { workflowId, versionId: newest.id };
}

/** A digest that waits for an approval, with two versions and a schedule. */
export async function digestWorkflow(ctx: Context, { lensId }: SampleLens): Promise<SampleWorkflow> {
  const { workflowId } = await createWorkflow(ctx, {
    title: 'Weekly digest',
    description: 'Summarises the notes of a week and waits for an approval before it is sent.',
    graph: { nodes: [draft(lensId), publish], edges: [{ from: 'draft', to: 'publish' }], inputs },
  });
  await saveGraph(ctx, {
    workflowId,
    changelog: 'Ask before it is sent.',
    graph: {
      nodes: [draft(lensId), ask, publish],
      edges: [
        { from: 'draft', to: 'ask' },
        { from: 'ask', to: 'publish' },
      ],
      inputs,
      outputs: { text: 'nodes.publish.output.text' },
    },
  });
  await createSchedule(ctx, {
    workflowId,
    title: 'Every Monday morning',
    cron: '0 8 * * 1',
    timeZone: 'Europe/Berlin',
    inputs: digestInputs,
  });
  return withVersion(ctx, workflowId);
}

/** A run of the digest that the workers of this start execute, until it waits for its approval. */
export const runDigest = (ctx: Context, { workflowId }: SampleWorkflow): Promise<unknown> =>
  acceptWorkflowRun(ctx, {
    workflowId,
    inputs: digestInputs,
    modelOverride: offlineModel,
    tags: ['weekly'],
    metadata: { sample: true },
  });

/** Bug reports that are read in parallel, with a schedule that is paused. */
export async function triageWorkflow(ctx: Context, { lensId }: SampleLens): Promise<SampleWorkflow> {
  const params = { Product: 'the product', Report: { $: 'item' } };
  const one = { nodes: [{ id: 'triage', type: 'lens', settings: { lensId, params } }], edges: [] };
  const { workflowId } = await createWorkflow(ctx, {
    title: 'Triage of the night',
    description: 'Reads the bug reports of a night in parallel.',
    visibility: 'public',
    graph: {
      nodes: [
        { id: 'reports', type: 'map', settings: { items: 'inputs.reports', concurrency: 4, graph: one } },
        { id: 'count', type: 'transform', settings: { expression: '{"read": size(nodes.reports.output)}' } },
      ],
      edges: [{ from: 'reports', to: 'count' }],
      inputs: {
        type: 'object',
        properties: { reports: { type: 'array', items: text, maxItems: 50 } },
        required: ['reports'],
      },
    },
  });
  await createSchedule(ctx, {
    workflowId,
    title: 'At night',
    cron: '30 2 * * *',
    inputs: { reports: ['Undo removes two steps when I hold the key.'] },
    enabled: false,
  });
  await acceptWorkflowRun(ctx, {
    workflowId,
    inputs: {
      reports: ['Undo removes two steps.', 'Every tenth request ends with 502.', 'The reset e-mail arrives late.'],
    },
    modelOverride: offlineModel,
    metadata: { sample: true },
  });
  return withVersion(ctx, workflowId);
}
