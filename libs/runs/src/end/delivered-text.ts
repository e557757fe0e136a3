import type { TokenDetails } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { estimateTokens, textOf, versionById } from '@lensforge/lenses';
import { type Model, computeCost, extractImages, listTexts, modelById } from '@lensforge/models';
import { conversationIn } from '../prompt-params.js';
import { Run } from '../run.entity.js';

/** The input and the prices of a request whose credits are held. */
export interface HoldTerms {
  tokenInput: number;
  creditsPer1kInput: number;
  creditsPer1kOutput: number;
}

export const toHoldTerms = (
  { creditsPer1kInput, creditsPer1kOutput }: Pick<Model, 'creditsPer1kInput' | 'creditsPer1kOutput'>,
  tokenInput: number,
): HoldTerms => ({ tokenInput, creditsPer1kInput, creditsPer1kOutput });

/** The use of a request that ended without an answer. */
export interface Delivered {
  tokenInput: number;
  tokenOutput: number;
  /** Absent when the use is estimated. */
  tokenDetails?: TokenDetails | null;
  /** At most the hold. */
  cost: number;
}

/** A part of a run that streams text: the run itself, one of its nodes, or a step of an agent. */
interface Source {
  runId: string;
  nodeKey?: string;
  step?: { path: string; step: number };
}

const textSql = `
select string_agg(payload ->> 'text', '' order by sequence) as text from run_events
 where run_id = $1 and type = any ($2) and ($3::text is null or coalesce(payload ->> 'nodeKey', payload ->> 'nodeId') = $3)
   and ($4::int is null or ((payload ->> 'step')::int = $4 and coalesce(payload ->> 'path', '') = $5))`;

/** Charges the text that a request has streamed by the terms of its hold; undefined without text. */
export async function deliveredBy(
  ctx: Context,
  { runId, nodeKey, step }: Source,
  { terms, hold }: { terms: HoldTerms; hold: number },
): Promise<Delivered | undefined> {
  const types = step ? ['agent.thought', 'node.output.delta'] : ['node.output.delta'];
  const [{ text }] = await ctx.db.query<[{ text: string | null }]>(textSql, [
    runId,
    types,
    nodeKey ?? null,
    step?.step ?? null,
    step?.path ?? null,
  ]);
  if (!text) return undefined;
  const { tokenInput } = terms;
  const tokenOutput = await estimateTokens(text);
  return {
    tokenInput,
    tokenOutput,
    cost: Math.min(computeCost(terms, { input: tokenInput, output: tokenOutput }), hold),
  };
}

/** Charges the text that a lens or prompt run with a hold has streamed; undefined without text. */
export async function deliveredByRun(ctx: Context, runId: string, hold: number): Promise<Delivered | undefined> {
  const run = await ctx.db.findOneOrFail(Run, {
    select: { kind: true, lensVersionId: true, modelId: true, params: true },
    where: { id: runId },
  });
  const { kind, modelId } = run;
  const model = modelId !== null && (kind === 'lens' || kind === 'prompt') && (await modelById(ctx.db, modelId));
  if (!model) return undefined;
  const terms = toHoldTerms(model, await estimateTokens(await readPrompt(ctx, run)));
  return deliveredBy(ctx, { runId }, { terms, hold });
}

async function readPrompt(
  ctx: Context,
  { lensVersionId, params }: Pick<Run, 'lensVersionId' | 'params'>,
): Promise<string> {
  if (lensVersionId === null) {
    const conversation = conversationIn(params);
    return [await readInstructions(ctx, params), ...(conversation ? listTexts(conversation) : [])].join('');
  }
  const version = await versionById(ctx.db, lensVersionId);
  const resolved = version.resolve(extractImages(version.toValues(params)).params);
  return 'prompt' in resolved ? textOf(resolved) : '';
}

/** The instructions that a worker sends with the prompt; they are not in the run. */
async function readInstructions(ctx: Context, { instructedBy }: Record<string, unknown>): Promise<string> {
  if (instructedBy === undefined) return '';
  const [found] = await ctx.db.query<{ instructions: string }[]>(
    'select instructions from ai_lensers where account_id = $1',
    [instructedBy],
  );
  return found?.instructions ?? '';
}
