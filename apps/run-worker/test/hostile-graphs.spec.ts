import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NodeEngineSetup, aNodeEngineSetup } from './node-engine-setup.js';

// Graphs that would use all time or memory of a worker without the sandbox.

let setup: NodeEngineSetup;
beforeAll(async () => {
  setup = await aNodeEngineSetup();
});
afterAll(() => setup.close());

const step = (id: string, expression: string, more: object = {}) => ({
  id,
  type: 'transform',
  settings: { expression },
  ...more,
});
const edge = (from: string, to: string, when?: string) => ({ from, to, ...(when !== undefined && { when }) });
const each = (id: string, items: string, graph: object, more: object = {}) => ({
  id,
  type: 'map',
  settings: { items, graph, ...more },
});

const doubling = Array.from({ length: 27 }, (_, at) => 27 - at).reduce(
  (inner, at) => `cel.bind(a${at}, a${at - 1} + a${at - 1}, ${inner})`,
  'a27.size()',
);
const tooMuch = `cel.bind(a0, [1, 2, 3, 4], ${doubling})`;
const tooSlow = `"${'a'.repeat(60)}!".matches("^(a+)+$")`;
/** A list of n numbers that needs the sandbox. */
const numbers = (n: number) => `"${'1'.repeat(Math.min(n, 3000))}".split("").map(x, 1)`;

describe('a run of a graph with a hostile expression', () => {
  it.each([
    // Growing takes time too: on a busy machine the time limit may be reached first.
    ['in a transform node, by memory', tooMuch, /^bad: exceeds its (memory|time) limit$/],
    ['in a transform node, by time', tooSlow, /^bad: exceeds its time limit$/],
  ])('fails at its node %s, and other runs continue', async (_, expression, message) => {
    const [bad, good] = await Promise.all([
      setup.run({ nodes: [step('bad', expression)] }),
      setup.run({ nodes: [step('good', `${numbers(100)}.size()`)] }),
    ]);
    expect(bad).toMatchObject({
      status: 'failed',
      errorCode: 'EXPRESSION_FAILED',
      errorMessage: expect.stringMatching(message),
    });
    expect(good).toMatchObject({ status: 'succeeded', output: { good: 100 } });
  });

  it('fails at the source node when the expression is in a condition', async () => {
    const graph = { nodes: [step('a', '1'), step('b', '2')], edges: [edge('a', 'b', `${tooMuch} > 1`)] };
    expect(await setup.run(graph)).toMatchObject({ status: 'failed', errorCode: 'CONDITION_FAILED' });
    const fine = { ...graph, edges: [edge('a', 'b', `${numbers(50)}.all(x, x == 1)`)] };
    expect(await setup.run(fine)).toMatchObject({ status: 'succeeded', output: { b: 2 } });
  });

  it('fails when the expression is in its outputs, which the sandbox computes when needed', async () => {
    const graph = { nodes: [step('a', '[1, 2, 3]')], outputs: { sum: 'nodes.a.output.map(x, x * 2)', plain: '1 + 1' } };
    expect(await setup.run(graph)).toMatchObject({ status: 'succeeded', output: { sum: [2, 4, 6], plain: 2 } });
    const bad = { ...graph, outputs: { sum: tooSlow } };
    expect(await setup.run(bad)).toMatchObject({ status: 'failed', errorCode: 'OUTPUTS_FAILED' });
  });

  it('fails the item when the expression is in the graph of a map, whose outputs are computed together', async () => {
    const inner = { nodes: [step('x', 'item')], outputs: { twice: '[nodes.x.output].map(n, n * 2)[0]' } };
    const run = await setup.run({ nodes: [each('all', numbers(40), inner)] });
    expect(run.output).toEqual({ all: Array.from({ length: 40 }, () => ({ twice: 2 })) });
    const bad = { nodes: [step('x', `item == 1 ? ${tooSlow} : false`)] };
    const failed = await setup.run({ nodes: [each('all', '[0, 1]', bad, { onItemError: 'continue' })] });
    expect(failed.output).toEqual({ all: [{ x: false }, null] });
  });
});

describe('a run of a graph that grows', () => {
  it('fails at a map that would give it more than 25,000 nodes', async () => {
    const nodes = Array.from({ length: 10 }, (_, at) => step(`n${at}`, '1'));
    const run = await setup.run({ nodes: [each('all', numbers(3000), { nodes })] });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'TOO_MANY_NODES' });
    expect(run.errorMessage).toContain('with 3000 items the run would have 30001 nodes, and it may have 25000');
  });

  it('counts the items of all maps that have begun, also those that have not started', async () => {
    const inner = { nodes: [each('row', numbers(1000), { nodes: [step('x', '1')] })] };
    const run = await setup.run({ nodes: [each('all', numbers(30), inner)] });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'TOO_MANY_NODES' });
    expect(run.errorMessage).toMatch(/the run would have \d+ nodes, and it may have 25000/);
  });

  it('fails with outputs of more than 4 MiB', async () => {
    const half = `"x".replace("x", "${'x'.repeat(900)}").split("").map(x, "${'y'.repeat(900)}")`;
    const nodes = Array.from({ length: 6 }, (_, at) => step(`n${at}`, half));
    const run = await setup.run({ nodes });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'OUTPUTS_FAILED' });
    expect(run.errorMessage).toContain('are larger than 4194304 bytes together');
  });

  it('fails at a node whose expressions refer to more than 4 MiB, and reads less than that on any engine', async () => {
    const large = `"${'x'.repeat(900)}".split("").map(x, "${'y'.repeat(900)}")`;
    const nodes = Array.from({ length: 6 }, (_, at) => step(`n${at}`, large));
    const names = nodes.map(({ id }) => `nodes.${id}.output.size()`);
    const all = { nodes: [...nodes, step('sum', names.join(' + '))], edges: nodes.map(({ id }) => edge(id, 'sum')) };
    const withEmptyCache = setup.anEngine();
    setup.engines.push(withEmptyCache);
    const run = await setup.run({ ...all, outputs: { sum: 'nodes.sum.output' } });
    const one = { ...all, nodes: [...nodes, step('sum', names.slice(0, 3).join(' + '))] };
    const fine = await setup.run({ ...one, outputs: { sum: 'nodes.sum.output' } });
    setup.engines.pop();
    expect(run).toMatchObject({ status: 'failed', errorCode: 'EXPRESSION_FAILED' });
    expect(run.errorMessage).toContain('too large together');
    expect(fine).toMatchObject({ status: 'succeeded', output: { sum: 2700 } });
  });
});
