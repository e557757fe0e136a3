import type { PlatformEventData, PlatformEventType } from '@lensforge/contracts';

const nothing = '00000000-0000-0000-0000-000000000000';

/** Made-up data for tests of an endpoint; its ids are of nothing that exists. */
export const sampleData: { readonly [T in PlatformEventType]: PlatformEventData<T> } = {
  'run.completed': {
    runId: nothing,
    workflowId: null,
    status: 'succeeded',
    outputs: [
      {
        artifactId: nothing,
        artifactKind: 'text',
        contentText: 'This is a test.',
        contentJson: null,
        isPrimaryOutput: true,
      },
    ],
    cost: 0,
    ...{ lensId: nothing, tags: [], metadata: null },
  },
  'run.failed': {
    runId: nothing,
    workflowId: null,
    error: { code: 'TEST', message: 'This is a test.' },
    ...{ lensId: nothing, tags: [], metadata: null },
  },
  'battle.completed': { battleId: nothing, winner: null, scores: [] },
  'lens.published': { lensId: nothing, version: '1.0.0' },
  'member.joined': { userId: nothing, workspaceId: nothing },
};
