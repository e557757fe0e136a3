import { type Context, DomainError, requiredMessage } from '@lensforge/core';
import { chooseArm, isLabelName } from '@lensforge/releases';
import { type TimeBudget, sandboxRefusal, sandboxTasks } from '@lensforge/sandbox';
import { readableWorkflow } from './access.js';
import type { Graph } from './node-types.js';
import { allNodes } from './graph.js';
import type { graphTasks } from './graph-tasks.js';
import { type CheckedInputs, type InputFaults, checkInputs, isCheapCheck } from './input-schema.js';
import { readVersion } from './version-reads.js';
import { workflowLabels } from './workflow-labels.js';

/** The owner and pinned version of a workflow, for a run. */
export interface RunnableWorkflow {
  id: string;
  accountId: string;
  title: string;
  versionId: string;
  number: number;
  graph: Graph;
}

/** A workflow that the caller may see, at the version given by id, number or label, or at the one that callers without one get. */
export async function runnableWorkflow(
  ctx: Context,
  workflowId: string,
  version?: string | number,
): Promise<RunnableWorkflow> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const { id: versionId, number, graph } = await readVersion(ctx.db, workflow, version);
  const { id, accountId, title } = workflow;
  return { id, accountId, title, versionId, number, graph };
}

/** A workflow for a run, at the version of a label when that decides. */
export interface ChosenWorkflow extends RunnableWorkflow {
  label: string | null;
  /** The number of the version, when the label has arms. */
  arm: string | null;
}

/** A workflow that the caller may see, at the version for a run. */
export async function chooseWorkflow(
  ctx: Context,
  workflowId: string,
  { name, stickyHash }: { name: string | number | undefined; stickyHash: string },
): Promise<ChosenWorkflow> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const { id, accountId, title, servedVersionId, servedArms } = workflow;
  const label = name === undefined ? workflow.defaultLabel : isLabelName(String(name)) ? String(name) : null;
  const split =
    label === null
      ? null
      : name === undefined
        ? { versionId: servedVersionId, arms: servedArms }
        : await workflowLabels.read(ctx, id, label);
  const chosen = label !== null && split ? chooseArm(split, `${id} ${label}`, stickyHash) : name;
  const { id: versionId, number, graph } = await readVersion(ctx.db, workflow, chosen);
  return { id, accountId, title, versionId, number, graph, label, arm: split?.arms ? String(number) : null };
}

const maxInputBytes = 4_194_304;
const run = sandboxTasks<typeof graphTasks>(import.meta.dirname, 'graph-tasks.js');

/** The inputs with defaults filled in; UNPROCESSABLE_PARAMS lists missing and invalid members. */
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

/** The message for faults of inputs; `name` is the caller's name for the inputs. */
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
  const limits = { account: ctx.actor.accountId, budget, outputBytes: maxInputBytes };
  try {
    return await run('checkInputs', { schema, inputs }, limits);
  } catch (reason) {
    throw sandboxRefusal(reason, 'inputs: their check by the schema of the workflow');
  }
}

const dayMs = 86_400_000;
const maxMs = 24 * dayMs;

/** The maximum duration of a run: its timeout plus the limits of its delays, approvals, webhook waits, child runs and agents. */
export function maxRunMs(graph: Graph, timeoutMs: number): number {
  const waits = allNodes(graph).map(({ node }): number => {
    switch (node.type) {
      case 'approval':
      case 'webhook_wait':
        return node.settings.expiresInSeconds * 1000;
      case 'delay':
        return typeof node.settings.seconds === 'number' ? node.settings.seconds * 1000 : maxMs;
      case 'workflow':
        return dayMs;
      case 'agent':
      case 'vote':
        return dayMs + node.settings.maxSeconds * 1000;
      case 'lens':
      case 'transform':
      case 'assert':
      case 'http':
      case 'map':
        return 0;
    }
  });
  return Math.min(
    waits.reduce((sum, wait) => sum + wait, timeoutMs),
    maxMs,
  );
}
