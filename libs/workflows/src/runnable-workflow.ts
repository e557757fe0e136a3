import type { Context } from '@lensforge/core';
import { DomainError, requiredMessage } from '@lensforge/core';
import type { TimeBudget } from '@lensforge/sandbox';
import { sandboxRefusal, sandboxTasks } from '@lensforge/sandbox';
import { readableWorkflow } from './access.js';
import type { Graph } from './graph.js';
import { allNodes } from './graph.js';
import type { graphTasks } from './graph-tasks.js';
import type { CheckedInputs, InputFaults } from './input-schema.js';
import { checkInputs, isCheapCheck } from './input-schema.js';
import { versionOf } from './version-reads.js';

/** What a run needs to know of a workflow: whose it is and which version it pins. */
export interface RunnableWorkflow {
  id: string;
  accountId: string;
  title: string;
  versionId: string;
  number: number;
  graph: Graph;
}

/** The workflow with its newest version, or the one that is named by id or number, as far as the caller may see it. */
export async function runnableWorkflow(
  ctx: Context,
  workflowId: string,
  version?: string | number,
): Promise<RunnableWorkflow> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const { id: versionId, number, graph } = await versionOf(ctx.db, workflow, version);
  const { id, accountId, title } = workflow;
  return { id, accountId, title, versionId, number, graph };
}

const largestInputs = 4_194_304;
const run = sandboxTasks<typeof graphTasks>(import.meta.dirname, 'graph-tasks.js');

/** The inputs with defaults filled in, or UNPROCESSABLE_PARAMS that names what is missing and what is wrong. */
export async function validateInputs(
  ctx: Context,
  { inputs: schema }: Pick<Graph, 'inputs'>,
  inputs: Record<string, unknown>,
  budget?: TimeBudget,
): Promise<Record<string, unknown>> {
  if (!schema) return inputs;
  const checked = await checkedInputs(ctx, schema, inputs, budget);
  if ('inputs' in checked) return checked.inputs;
  const { missing, invalid } = checked.faults;
  throw new DomainError('UNPROCESSABLE_PARAMS', inputFaultsMessage(checked.faults, 'inputs'), { missing, invalid });
}

/** What is wrong with inputs, as members of what a caller calls them. */
export function inputFaultsMessage({ missing, invalid }: InputFaults, name: string): string {
  const required = missing.length > 0 ? [requiredMessage(missing.map((each) => `${name}.${each}`))] : [];
  return [...required, ...invalid.map(({ path, message }) => `${name}${path && `.${path}`} ${message}`)].join('; ');
}

async function checkedInputs(
  ctx: Context,
  schema: Record<string, unknown>,
  inputs: Record<string, unknown>,
  budget: TimeBudget | undefined,
): Promise<CheckedInputs> {
  if (isCheapCheck(schema, inputs)) return checkInputs(schema, inputs);
  const limits = { account: ctx.actor.accountId, budget, outputBytes: largestInputs };
  try {
    return await run('checkInputs', { schema, inputs }, limits);
  } catch (reason) {
    throw sandboxRefusal(reason, 'inputs: their check by the schema of the workflow');
  }
}

const day = 86_400_000;
const longest = 24 * day;

/** How long a run may take at most: its time-out, and as long as it may wait for time, people and calls. */
export function maxRunMs(graph: Graph, timeoutMs: number): number {
  const waits = allNodes(graph).map(({ node }) => {
    switch (node.type) {
      case 'approval':
      case 'webhook_wait':
        return node.settings.expiresInSeconds * 1000;
      case 'delay':
        return typeof node.settings.seconds === 'number' ? node.settings.seconds * 1000 : longest;
      case 'workflow':
        return day;
      default:
        return 0;
    }
  });
  return Math.min(
    waits.reduce((sum, wait) => sum + wait, timeoutMs),
    longest,
  );
}
