import { withDbRetry } from '@lensforge/database';
import { type PricedUsage, type ToolCall, chargesForInput, priceUsage } from '@lensforge/models';
import { type NewRunEvent, type NewToolCall, type StoredToolCall, toHoldTerms } from '@lensforge/runs';
import { estimateMaxInput, requestModel } from '../engine/request-model.js';
import type { DeltaStream } from '../engine/delta-batcher.js';
import type { ToolInput } from '../providers/provider.js';
import { asAgentFailure, finalFailure } from './agent-failure.js';
import type { Conversation } from './agent-task.js';
import type { AgentTeam } from './agent-team.js';
import { toMessages, resultsIn } from './conversation.js';
import { type FittedContext, fitContext, inputLimit } from './fit-context.js';
import { performReads } from './perform-reads.js';
import { holdForStep } from './step-credits.js';
import { inputInEvent, resultEvent, toStepUsage } from './tool-events.js';

const maxCalls = 16;
const maxInputLength = 100_000;

/** Requests the next step of a conversation from its model and stores it. */
export async function requestStep(team: AgentTeam, conversation: Conversation, step: number): Promise<void> {
  team.requireTime();
  const { path, agents, isOfLens = false, request, toolSet, chosen, outputSchema } = conversation;
  const { model } = chosen;
  const { parts, run, settings, beforeEffect, openStream } = team.work;
  const { messages, reduced, texts, tokens, limit } = fitConversation(team, conversation);
  const maxOutputTokens = Math.min(settings.maxOutputTokens, model.maxOutputTokens, team.tokensLeft - tokens);
  if (maxOutputTokens < 1) {
    const message = `The agents used ${team.used.tokens} tokens, and the next step needs ${tokens} and its answer; raise maxTokens`;
    throw finalFailure('LIMIT_REACHED', message);
  }
  const asked = chargesForInput(model) ? await estimateMaxInput(texts) : tokens;
  const funding = chosen.fundingFor({ input: asked, output: maxOutputTokens });
  const terms = toHoldTerms(model, asked);
  const reserved = await holdForStep(team, { path, step, chain: agents, funding, terms });
  const ref = team.toStepRef({ path, step });
  const toDelta = (text: string): NewRunEvent => ({
    type: isOfLens ? 'node.output.delta' : 'agent.thought',
    payload: { ...ref, text },
  });
  const stream = openStream(toDelta);
  const inputs = new InputStreams(team, conversation, step);
  try {
    const byok = await withDbRetry(() =>
      parts.keys.openFor({ accountId: run.accountId, byokKeyId: funding.byokKeyId }),
    );
    const asksForJson = outputSchema !== undefined && toolSet.specs.length === 0 && model.capabilities.includes('json');
    const { text, toolCalls, usage, ...answer } = await requestModel(
      parts,
      {
        ...request,
        modelId: model.id,
        messages,
        tools: toolSet.specs,
        ...(asksForJson && { outputSchema, unchecked: true }),
        sampling: { ...request.sampling, maxOutputTokens },
        byok,
        idempotencyKey: `${team.toSeed(path)}:${step}`,
        cause: run.cause,
      },
      {
        signal: team.signal,
        tokens,
        beforeCall: beforeEffect,
        onDelta: (piece) => stream.add(piece),
        onToolInput: (piece) => inputs.add(piece),
      },
    );
    const rest = await stream.close();
    await inputs.close();
    const calls = await performReads(team, conversation, { step, calls: callsIn(conversation, step, toolCalls) });
    const used = priceUsage(answer.model, usage, { isFree: reserved === 0 });
    const events = buildStepEvents(team, conversation, { step, text, calls, reduced, limit, used });
    await team.store({
      path,
      step,
      agentId: agents.at(-1)?.id ?? null,
      text,
      ...used,
      hold: reserved,
      maxCredits: settings.maxCredits ?? null,
      reduced,
      calls,
      events: isOfLens && rest !== '' ? [toDelta(rest), ...events] : events,
    });
  } catch (reason) {
    await Promise.all([stream.close(), inputs.close()]);
    throw asAgentFailure(team.toStopReason(reason));
  }
}

function fitConversation(
  team: AgentTeam,
  { path, request: { system = '', prompt }, opening, toolSet, chosen, faultIn }: Conversation,
): FittedContext & { limit: number } {
  const steps = team.getSteps(path);
  const seed = team.toFenceSeed(path);
  const isOfCaller = ({ toolId }: StoredToolCall): boolean =>
    toolId !== null && toolSet.byId(toolId)?.kind === 'client';
  const limit = inputLimit(chosen.model.contextTokens, team.work.settings.maxOutputTokens);
  const fitted = fitContext(
    {
      system,
      prompt,
      tools: toolSet.specs,
      messages: (reduced) => [...opening, ...toMessages(steps, { reduced, faultIn, seed, isOfCaller })],
      results: resultsIn(steps),
      reduced: steps.at(-1)?.reduced ?? 0,
    },
    limit,
  );
  if (fitted) return { ...fitted, limit };
  throw finalFailure('CONTEXT_TOO_LARGE', `The conversation does not fit the ${limit} tokens that the model can read`);
}

function callsIn({ toolSet }: Conversation, step: number, toolCalls: readonly ToolCall[]): NewToolCall[] {
  const asked = toolCalls.filter(({ output }) => output === undefined).slice(0, maxCalls);
  const ids = new Set<string>();
  return asked.map(({ id, name, input, metadata = null }, index) => {
    const isUsable = id !== '' && id.length <= 200 && !ids.has(id);
    const callId = isUsable ? id : `call_${step}_${index + 1}`;
    ids.add(callId);
    const fits = JSON.stringify(input ?? null).length <= maxInputLength;
    return {
      callId,
      name: name.slice(0, 200).toWellFormed(),
      input: fits ? (input ?? {}) : {},
      metadata,
      toolId: fits ? (toolSet.named(name)?.toolId ?? null) : null,
    };
  });
}

/** The arguments for tools of the caller as they arrive, each call in a stream of its own. */
class InputStreams {
  private readonly streams = new Map<string, DeltaStream | undefined>();

  constructor(
    private readonly team: AgentTeam,
    private readonly conversation: Conversation,
    private readonly step: number,
  ) {}

  add({ id, name, text }: ToolInput): void {
    if (!this.streams.has(id)) this.streams.set(id, this.open(name, this.streams.size + 1));
    this.streams.get(id)?.add(text);
  }

  private open(name: string, call: number): DeltaStream | undefined {
    const { team, step } = this;
    const { path, toolSet } = this.conversation;
    if (call > maxCalls || toolSet.named(name)?.kind !== 'client') return undefined;
    const ref = team.toStepRef({ path, step });
    return team.work.openStream((text) => ({
      type: 'agent.tool_input.delta',
      payload: { ...ref, call, toolId: name, text },
    }));
  }

  /** Unwritten text is left out: the whole call follows. */
  async close(): Promise<void> {
    await Promise.all([...this.streams.values()].map(async (stream) => stream?.close()));
  }
}

interface StepFacts {
  step: number;
  text: string;
  calls: readonly NewToolCall[];
  reduced: number;
  limit: number;
  used: PricedUsage;
}

function buildStepEvents(team: AgentTeam, conversation: Conversation, facts: StepFacts): NewRunEvent[] {
  const { path, agents, isOfLens } = conversation;
  const { step, text, calls, reduced, limit, used } = facts;
  const ref = team.toStepRef({ path, step });
  const before = team.getSteps(path).at(-1)?.reduced ?? 0;
  return [
    ...(reduced > before
      ? [{ type: 'agent.context_reduced', payload: { ...ref, results: reduced, limit } } as const]
      : []),
    {
      type: 'agent.step',
      payload: {
        ...ref,
        agent: isOfLens ? 'lens' : (agents.at(-1)?.handle ?? ''),
        text,
        toolCalls: calls.length,
        ...toStepUsage(used),
      },
    },
    ...calls.map(({ name, toolId, input }, index): NewRunEvent => ({
      type: 'agent.tool_call',
      payload: { ...ref, call: index + 1, toolId: toolId ?? name, input: inputInEvent(input) },
    })),
    ...calls.flatMap((call, index) =>
      call.result ? [resultEvent(team, { path, step, call: { ...call, position: index + 1 } }, call.result)] : [],
    ),
  ];
}
