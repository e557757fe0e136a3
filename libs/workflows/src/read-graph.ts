import { type Issue, isRecord } from '@lensforge/contracts';
import { type Context, type DomainError, badInputs, issuesMessage } from '@lensforge/core';
import { TimeBudget, sandboxRefusal, sandboxTasks } from '@lensforge/sandbox';
import { type CheckedGraph, checkGraph } from './check-graph.js';
import type { graphTasks } from './graph-tasks.js';
import type { Graph } from './node-types.js';
import { isCheapCheck } from './input-schema.js';
import { jsonSizeWithin } from './json-size.js';

const maxFaults = 20;
const maxOutputBytes = 4_194_304;
/** Larger graphs are checked in the sandbox. */
const maxInlineSize = 8000;
/** The approximate size of a sandbox task for many graphs. */
const partSize = 200_000;
/** The time limit for all graphs of an import. */
const maxMs = 5000;

const run = sandboxTasks<typeof graphTasks>(import.meta.dirname, 'graph-tasks.js');

/** Validates a graph and fills in defaults; refuses it with the path of each fault. */
export async function readGraph(ctx: Context, value: unknown): Promise<Graph> {
  const [graph] = await readGraphs(ctx, [value]);
  return graph as Graph;
}

/** Validates many graphs; `at` gives the path prefix of each in the request. */
export async function readGraphs(
  ctx: Context,
  values: readonly unknown[],
  at: (index: number) => string = () => '',
): Promise<Graph[]> {
  const checked = await checkAll(ctx, values);
  return checked.map(({ graph, faults }, index) => {
    if (graph && faults.length === 0) return graph;
    throw refusal(faults.map(({ path, message }) => ({ path: `${at(index)}${path}`, message })));
  });
}

/** BAD_INPUT whose message names the first faults and whose details list up to 20. */
const refusal = (faults: readonly Issue[]): DomainError => badInputs(faults.slice(0, maxFaults), issuesMessage(faults));

async function checkAll(ctx: Context, values: readonly unknown[]): Promise<CheckedGraph[]> {
  if (jsonSizeWithin(values, maxInlineSize) !== Infinity && values.every(hasCheapInputs)) return values.map(checkGraph);
  const limits = { account: ctx.actor.accountId, budget: new TimeBudget(maxMs), outputBytes: maxOutputBytes };
  const checked: CheckedGraph[] = [];
  try {
    for (const part of splitBySize(values)) checked.push(...(await run('checkGraphs', part, limits)));
  } catch (reason) {
    throw sandboxRefusal(reason, 'The graph');
  }
  return checked;
}

function hasCheapInputs(graph: unknown): boolean {
  const inputs = isRecord(graph) ? graph['inputs'] : undefined;
  return !isRecord(inputs) || isCheapCheck(inputs);
}

function splitBySize(values: readonly unknown[]): unknown[][] {
  const parts: unknown[][] = [];
  let freeBytes = 0;
  for (const value of values) {
    const size = jsonSizeWithin(value, partSize);
    if (size > freeBytes) {
      parts.push([]);
      freeBytes = partSize;
    }
    freeBytes -= size;
    parts.at(-1)?.push(value);
  }
  return parts;
}
