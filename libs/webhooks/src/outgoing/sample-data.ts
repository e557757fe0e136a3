import type { PlatformEventData, PlatformEventType } from '@lensforge/contracts';

const unusedId = '00000000-0000-0000-0000-000000000000';

/** Sample data for tests of an endpoint; its ids refer to nothing. */
export const sampleData: { readonly [T in PlatformEventType]: PlatformEventData<T> } = {
  'run.completed': {
    runId: unusedId,
    workflowId: null,
    status: 'succeeded',
    outputs: [
      {
        artifactId: unusedId,
        artifactKind: 'text',
        contentText: 'This is a test.',
        contentJson: null,
        isPrimaryOutput: true,
      },
    ],
    cost: 0,
    tokenInput: 0,
    tokenOutput: 0,
    tokenDetails: null,
    lensId: unusedId,
    tags: [],
    metadata: null,
  },
  'run.failed': {
    runId: unusedId,
    workflowId: null,
    error: { code: 'TEST', message: 'This is a test.' },
    lensId: unusedId,
    tags: [],
    metadata: null,
  },
  'run.scored': {
    runId: unusedId,
    lensId: unusedId,
    workflowId: null,
    label: 'production',
    scoreId: unusedId,
    name: 'feedback',
    source: 'end_user',
    score: 1,
    pass: null,
    error: null,
  },
  'battle.completed': { battleId: unusedId, winner: null, scores: {} },
  'experiment.completed': {
    experimentId: unusedId,
    status: 'completed',
    lensId: unusedId,
    workflowId: null,
    gate: 'passed',
    scores: { candidate: { exact: 1 } },
  },
  'label.returned': {
    lensId: unusedId,
    workflowId: null,
    label: 'production',
    from: '1.1.0',
    to: '1.0.0',
    automatic: false,
    reason: null,
  },
  'lens.published': { lensId: unusedId, version: '1.0.0' },
  'member.joined': { userId: unusedId, workspaceId: unusedId },
};
