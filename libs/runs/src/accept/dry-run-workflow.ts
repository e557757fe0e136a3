import { type Context, DomainError, badInput } from '@lensforge/core';
import { applySettings, getLensText, leavesModelOpen } from '@lensforge/lenses';
import { TimeBudget, sandboxRefusal, sandboxTasks } from '@lensforge/sandbox';
import {
  type Graph,
  type GraphNode,
  acceptableGraph,
  allNodes,
  levels,
  maxWorkflowDepth,
  runnableWorkflow,
  validateInputs,
  getLiteral,
} from '@lensforge/workflows';
import {
  type DryRunInput,
  type DryRunNode,
  type DryRunParts,
  type Found,
  agentModel,
  type dryRunTasks,
  modelOfLens,
  toPartName,
  sumEstimates,
} from './dry-run-tasks.js';
import { type ModelCriteria, type Priced, chooseModel } from '@lensforge/models';

export type { DryRunNode, DryRunVerdict } from './dry-run-tasks.js';

export interface DryRunOrder {
  workflowId: string;
  version?: string | undefined;
  inputs: Record<string, unknown>;
  modelOverride?: string | undefined;
  /** A graph that is not saved, in place of a version. */
  graph?: unknown;
}

export interface DryRun {
  workflowId: string;
  version: { id: string; number: number };
  levels: string[][];
  nodes: DryRunNode[];
  estimatedCredits: number;
}

/** The time limit of all computations of a dry run together. */
const maxMs = 1000;
const maxResultBytes = 1_048_576;
/** Limits of the lenses and workflows that one dry run reads. */
const maxParts = 1000;
const maxCharacters = 8_388_608;

const run = sandboxTasks<typeof dryRunTasks>(import.meta.dirname, 'dry-run-tasks.js');

/** Forecasts a run with these inputs without executing it, and estimates its maximum cost. */
export async function dryRunWorkflow(ctx: Context, order: DryRunOrder): Promise<DryRun> {
  const { id, versionId, number, ...saved } = await runnableWorkflow(ctx, order.workflowId, order.version);
  const graph = order.graph === undefined ? saved.graph : await acceptableGraph(ctx, order.graph);
  const budget = new TimeBudget(maxMs);
  const inputs = await validateInputs(ctx, graph, order.inputs, budget);
  const { modelOverride } = order;
  const model = modelOverride === undefined ? null : toPrices(await chooseModel(ctx.db, { modelOverride }));
  const parts = await new PartsReader(ctx, model !== null).read(graph);
  const nodes = await forecast(ctx, { graph, inputs, model, ...parts }, budget);
  return {
    workflowId: id,
    version: { id: versionId, number },
    levels: levels(graph),
    nodes,
    estimatedCredits: sumEstimates(nodes),
  };
}

async function forecast(ctx: Context, input: DryRunInput, budget: TimeBudget): Promise<DryRunNode[]> {
  const limits = { account: ctx.actor.accountId, budget, outputBytes: maxResultBytes };
  const result = await run('dryRun', input, limits).catch((reason: unknown) => {
    throw sandboxRefusal(reason, 'The dry run of this workflow');
  });
  if ('nodes' in result) return result.nodes;
  throw new DomainError(result.refusal.code, result.refusal.message, result.refusal.details);
}

const toPrices = (model: Priced): Priced => {
  const { creditsPer1kInput, creditsPer1kOutput, creditsPer1kCacheWrite = null, maxOutputTokens } = model;
  return { creditsPer1kInput, creditsPer1kOutput, creditsPer1kCacheWrite, maxOutputTokens };
};

/** Reads every lens, model and workflow that a graph and its nested workflows name, each once. */
class PartsReader {
  private readonly parts: DryRunParts = { lenses: {}, workflows: {}, models: {} };
  private count = 0;
  private characters = 0;

  constructor(
    private readonly ctx: Context,
    private readonly hasModel: boolean,
  ) {}

  async read(graph: Graph, depth = 0): Promise<DryRunParts> {
    for (const { node } of allNodes(graph)) {
      if (node.type === 'lens') await this.lens(node);
      if (node.type === 'agent') await this.agent(node.settings.agent, getLiteral(node.settings.model));
      if (node.type === 'vote') for (const agent of node.settings.agents) await this.agent(agent);
      if (node.type === 'workflow' && depth + 1 < maxWorkflowDepth) await this.workflow(node, depth + 1);
    }
    return this.parts;
  }

  private async lens({ settings }: Extract<GraphNode, { type: 'lens' }>): Promise<void> {
    const { lensId } = settings;
    const version = getLiteral(settings.version);
    const name = toPartName(lensId, version);
    await this.once(this.parts.lenses, name, async () => {
      const { templateBody, includes, settings } = await getLensText(this.ctx, { lensId, version });
      this.charge(templateBody.length);
      return { templateBody, includes, settings };
    });
    const lens = this.parts.lenses[name];
    if (!lens || 'refusal' in lens || (this.hasModel && leavesModelOpen(lens.settings))) return;
    const { modelOverride, preferred } = applySettings(lens.settings, { modelOverride: getLiteral(settings.model) });
    await this.model(modelOfLens(settings, lens), { modelOverride, preferred });
  }

  /** Models at endpoints of the owner cost no credits. */
  private async agent(agent: string, model?: string): Promise<void> {
    if (this.hasModel) return;
    if (model !== undefined) return this.model(model, { modelOverride: model });
    const [own] = await this.ctx.db.query<{ model: string | null; isFree: boolean }[]>(
      `select l.ai_model_key as model, exists (
                select from models m join byok_keys k on k.id = m.byok_key_id
                 where k.account_id = a.owner_account_id and k.revoked_at is null
                   and l.ai_model_key in (m.key, m.provider_key || '/' || m.key, m.id::text)) as "isFree"
         from ai_lensers l join accounts a on a.id = l.account_id
        where a.owner_account_id = $1 and ($2 in (a.handle, a.id::text))`,
      [this.ctx.actor.accountId, agent.toLowerCase()],
    );
    if (!own) throw badInput('agent', `you have no AI lenser ${agent}`);
    const { isFree, model: named } = own;
    if (isFree)
      this.parts.models[agentModel(agent)] = { creditsPer1kInput: 0, creditsPer1kOutput: 0, maxOutputTokens: 1 };
    else await this.model(agentModel(agent), { modelOverride: named ?? undefined });
  }

  private async model(name: string, criteria: ModelCriteria): Promise<void> {
    await this.once(this.parts.models, name, async () => {
      const { alternatives, ...chosen } = await chooseModel(this.ctx.db, criteria);
      return { ...toPrices(chosen), alternatives: alternatives.map(toPrices) };
    });
  }

  private async workflow({ settings }: Extract<GraphNode, { type: 'workflow' }>, depth: number): Promise<void> {
    const { workflowId } = settings;
    const version = getLiteral(settings.version);
    const name = toPartName(workflowId, version);
    await this.once(this.parts.workflows, name, async () => {
      const { graph } = await runnableWorkflow(this.ctx, workflowId, version);
      this.charge(JSON.stringify(graph).length);
      return { graph };
    });
    const found = this.parts.workflows[name];
    if (found && 'graph' in found && this.isNearer(name, depth)) await this.read(found.graph, depth);
  }

  private readonly depths = new Map<string, number>();

  /** A workflow that was first read at a greater depth may reach further workflows at this depth. */
  private isNearer(name: string, depth: number): boolean {
    if (depth >= (this.depths.get(name) ?? Infinity)) return false;
    this.depths.set(name, depth);
    return true;
  }

  private async once<T extends object>(
    known: Record<string, Found<T>>,
    name: string,
    read: () => Promise<T>,
  ): Promise<void> {
    if (Object.hasOwn(known, name)) return;
    this.count += 1;
    if (this.count > maxParts) throw tooLarge();
    known[name] = await read().catch((reason: unknown) => {
      if (!(reason instanceof DomainError)) throw reason;
      const { code, message, details } = reason;
      return { refusal: { code, message, details } };
    });
  }

  private charge(characters: number): void {
    this.characters += characters;
    if (this.characters > maxCharacters) throw tooLarge();
  }
}

const tooLarge = (): DomainError =>
  badInput(
    '',
    `This workflow names more than ${maxParts} lenses and workflows, or more than ${maxCharacters} characters of them: too much for a dry run`,
  );
