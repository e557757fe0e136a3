import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { agentEvents } from './agent-events.js';
import { battleEvents } from './battle-events.js';
import { type Job, jobNamed, jobs, queues } from './jobs.js';
import { platformEventTypes, platformEvents } from './platform-events.js';
import { threadEvents } from './thread-events.js';
import { isTerminal, runEvents, terminalStatuses } from './run-events.js';
import { runStatuses } from '../resources/runs.js';
import { listFields } from '../schema/rules.js';

describe('jobs', () => {
  const all = Object.values<Job>(jobs);

  it('have unique names, and jobNamed finds them', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const job of all) expect(jobNamed(job.name)).toBe(job);
    expect(jobNamed('constructor')).toBeUndefined();
  });

  it('use every queue', () => {
    expect(new Set(all.map(({ queue }) => queue))).toEqual(new Set(queues));
  });

  it('have payload classes with fields', () => {
    for (const { payload } of all) expect(listFields(payload).size).toBeGreaterThan(0);
  });
});

describe('events', () => {
  it('of a run are exactly the documented ones', () => {
    expect(Object.keys(runEvents)).toEqual(
      [
        'run.queued run.started run.progress run.retrying run.requires_action',
        'run.succeeded run.failed run.canceled run.timed_out',
        'node.queued node.waiting node.started node.output.delta node.retrying',
        'node.succeeded node.failed node.skipped node.canceled node.timed_out',
        'artifact.created credits.reserved credits.charged credits.released',
        'approval.requested approval.resolved judging.progress',
        'agent.thought agent.step agent.tool_input.delta agent.tool_call agent.tool_result agent.context_reduced log',
      ].flatMap((line) => line.split(' ')),
    );
  });

  it('of a battle are exactly the documented ones, without members that belong to one contender', () => {
    const members = Object.fromEntries(
      Object.entries(battleEvents).map(([type, payload]) => [type, [...listFields(payload).keys()]]),
    );
    expect(members).toEqual({
      'contender.added': ['contenders'],
      'contender.withdrawn': ['contenders'],
      'submission.received': ['received', 'of'],
      'votes.counted': ['votes'],
      'judging.progress': ['judged', 'total'],
      'status.changed': ['status'],
    });
  });

  it('of an AI lenser are exactly the documented ones', () => {
    const members = Object.fromEntries(
      Object.entries(agentEvents).map(([type, payload]) => [type, [...listFields(payload).keys()]]),
    );
    expect(members).toEqual({
      'tool.assigned': ['toolId', 'allowed'],
      'tool.revoked': ['toolId'],
      'tool.suspended': ['toolId', 'reason'],
      'tool.decided': ['toolId', 'verdict', 'reason'],
      'action.decided': ['actionId', 'action', 'verdict', 'result', 'reason'],
      'approval.requested': ['approvalId', 'action', 'expiresAt'],
      'approval.decided': ['approvalId', 'action', 'status', 'result', 'reason'],
      'run.started': ['kind', 'status'],
      'run.approved': ['waitedMs'],
      'run.ended': ['status'],
      'agent.archived': ['canceledRuns'],
    });
  });

  it('of a thread are exactly the documented ones', () => {
    const members = Object.fromEntries(
      Object.entries(threadEvents).map(([type, payload]) => [type, [...listFields(payload).keys()]]),
    );
    expect(members).toEqual({
      'message.posted': ['message'],
      'message.edited': ['message'],
      'message.deleted': ['message'],
      'message.hidden': ['message'],
      'message.shown': ['message'],
      'thread.updated': ['title', 'status'],
      'answer.changed': ['messageId', 'agentId', 'status'],
    });
  });

  it('of a run include one for each terminal status', () => {
    expect(runStatuses.filter(isTerminal)).toEqual(terminalStatuses);
    for (const status of terminalStatuses) expect(runEvents).toHaveProperty([`run.${status}`]);
  });

  it('of the platform have the specified members, followed by members of runs that are not in the specification', () => {
    const tokens = ['tokenInput', 'tokenOutput', 'tokenDetails'];
    const correlation = ['lensId', 'tags', 'metadata'];
    const members = Object.fromEntries(
      platformEventTypes.map((type) => [type, [...listFields(platformEvents[type]).keys()]]),
    );
    expect(members).toEqual({
      'run.completed': ['runId', 'workflowId', 'status', 'outputs', 'cost', ...correlation, ...tokens],
      'run.failed': ['runId', 'workflowId', 'error', ...correlation],
      'run.scored': ['runId', 'lensId', 'workflowId', 'label', 'scoreId', 'name', 'source', 'score', 'pass', 'error'],
      'battle.completed': ['battleId', 'winner', 'scores'],
      'experiment.completed': ['experimentId', 'status', 'lensId', 'workflowId', 'gate', 'scores'],
      'label.returned': ['lensId', 'workflowId', 'label', 'from', 'to', 'automatic', 'reason'],
      'lens.published': ['lensId', 'version'],
      'member.joined': ['userId', 'workspaceId'],
    });
  });
});
