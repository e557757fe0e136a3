import { describe, expect, it } from '@jest/globals';
import type { RunEvent, shapes } from '@lensforge/sdk';
import { buildTree, computeBounds, listRows, placeItem } from './tree.js';

const at = (second: number): string => new Date(second * 1000).toISOString();
const event = (second: number, eventType: string, payload: object = {}): RunEvent =>
  ({ sequence: second + 1, eventType, occurredAt: at(second), payload }) as RunEvent;
const node = (nodeKey: string, from: number | null, to: number | null): shapes.RunNodeItem => ({
  nodeId: nodeKey.split('[')[0] ?? '',
  nodeKey,
  type: 'lens',
  status: 'succeeded',
  attempt: 1,
  input: null,
  output: null,
  error: null,
  tokensUsed: 0,
  costCredits: 0,
  startedAt: from === null ? null : at(from),
  completedAt: to === null ? null : at(to),
});
const ended = { kind: 'workflow', status: 'succeeded', startedAt: at(0), completedAt: at(20) } as const;
const words = {
  run: 'Run',
  attempt: (number: number) => `try ${number}`,
  step: (number: number) => `step ${number}`,
};
const of = (events: readonly RunEvent[], nodes: readonly shapes.RunNodeItem[] = [], run: object = {}) =>
  buildTree({ ...ended, ...run }, nodes, events, words);
const show = (tree: ReturnType<typeof of>, closed: readonly string[] = []) =>
  listRows(tree, new Set(closed)).map(({ item, depth }) => `${'  '.repeat(depth)}${item.name} ${item.status}`);

describe('the tree of a run', () => {
  it('has nodes as they began, those of a map below it, and hides the parts of what is closed', () => {
    const nodes = [node('late', null, null), node('each', 2, 9), node('each[1].say', 5, 9), node('first', 1, 2)];
    const tree = of([], [...nodes, node('each[0].say', 3, 4), node('each[0].in[2].x', 4, 4)]);
    expect(show(tree)).toEqual([
      'Run succeeded',
      '  first succeeded',
      '  each succeeded',
      '    [0].say succeeded',
      '    [0].in[2].x succeeded',
      '    [1].say succeeded',
      '  late succeeded',
    ]);
    expect(show(tree, ['each']).slice(2)).toEqual(['  each succeeded', '  late succeeded']);
  });

  it('has the attempts at what was tried again, and requests to models in their attempt', () => {
    const lens = { nodeId: 'answer' };
    const tree = of(
      [
        event(0, 'run.started', { attempt: 1 }),
        event(1, 'agent.thought', { ...lens, step: 1, text: 'I' }),
        event(2, 'run.retrying', { reason: 'the worker stopped', delayMs: 1 }),
        event(3, 'run.started', { attempt: 2 }),
        event(4, 'agent.step', { ...lens, step: 2, agent: 'lens', text: 'Yes.', tokenInput: 1, tokenOutput: 2 }),
        event(5, 'run.succeeded'),
      ],
      [],
      { kind: 'lens' },
    );
    expect(show(tree)).toEqual([
      'Run succeeded',
      '  try 1 retried',
      '    step 1 lost',
      '  try 2 succeeded',
      '    step 2 succeeded',
    ]);
    const [, second] = tree.children;
    expect(second?.children[0]).toMatchObject({ from: 3000, to: 4000, tokens: 3, note: 'lens' });
  });

  it('has tool calls, and below them the agents that they ask', () => {
    const agent = { nodeId: 'team' };
    const tree = of(
      [
        event(1, 'node.started', { ...agent, attempt: 1 }),
        event(3, 'agent.step', { ...agent, step: 1, agent: 'head', text: '', tokenInput: 1, tokenOutput: 1 }),
        event(4, 'agent.tool_call', { ...agent, step: 1, call: 1, toolId: 'ask', input: {} }),
        event(6, 'agent.step', {
          ...agent,
          path: '1.1',
          step: 1,
          agent: 'hand',
          text: 'a',
          tokenInput: 1,
          tokenOutput: 1,
        }),
        event(7, 'agent.tool_result', { ...agent, step: 1, call: 1, status: 'done', isError: true, text: 'no' }),
        event(8, 'agent.tool_call', { ...agent, step: 1, call: 2, toolId: 'look', input: {} }),
      ],
      [node('team', 1, 9)],
      { completedAt: null, status: 'running' },
    );
    expect(show(tree).slice(1)).toEqual([
      '  team succeeded',
      '    step 1 running',
      '      ask failed',
      '        step 1 succeeded',
      '      look running',
    ]);
    const [step] = tree.children[0]?.children ?? [];
    expect([step?.from, step?.to]).toEqual([1000, undefined]);
    expect(step?.children[0]).toMatchObject({ from: 4000, to: 7000 });
  });

  it('leaves out what belongs to nodes of a workflow that are not loaded', () => {
    const far = { nodeId: 'far' };
    expect(show(of([event(1, 'agent.thought', { ...far, step: 1, text: 'I' })]))).toEqual(['Run succeeded']);
  });
});

describe('the places of items over the time of their run', () => {
  it('are shares of the time from the first start to the last end', () => {
    const tree = of([], [node('a', 10, 15), node('b', 15, null), node('c', null, null)], {
      startedAt: at(10),
      completedAt: null,
    });
    const rows = listRows(tree, new Set());
    const bounds = computeBounds(rows, 20_000);
    expect(bounds).toEqual({ from: 10_000, to: 20_000 });
    expect(rows.map(({ item }) => placeItem(item, bounds))).toEqual([
      { x: 0, width: 100 },
      { x: 0, width: 50 },
      { x: 50, width: 50 },
      undefined,
    ]);
    const waiting = listRows(of([], [], { startedAt: null, completedAt: null }), new Set());
    expect(computeBounds(waiting, 5)).toEqual({ from: 5, to: 6 });
  });
});
