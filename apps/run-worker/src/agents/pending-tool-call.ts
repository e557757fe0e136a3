import { recordAgentEvent } from '@lensforge/agents';
import { type ActionVerdict, isRecord } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { CallOrder } from '@lensforge/evaluation';
import type { OwnAiLenser } from '@lensforge/identity';
import {
  type LockedNode,
  type NewRunEvent,
  type StoredToolCall,
  type ToolCallMove,
  type ToolCallRef,
  type ToolCallState,
  moveToolCall,
} from '@lensforge/runs';
import { Stopped } from '../engine/attempt.js';
import type { Conversation } from './agent-task.js';
import type { AgentTeam } from './agent-team.js';
import type { AgentTool } from './agent-tools.js';
import { type ToolOutcome, resultEvent } from './tool-events.js';

const maxResult = 100_000;

export interface Decided {
  verdict: ActionVerdict;
  reason?: string | undefined;
}

/** A call of a tool as a recording knows it: by its node, agent and step, since the same call may have another result later. */
export const toToolOrder = (
  { work: { node } }: AgentTeam,
  { path, step, position }: ToolCallRef,
  { toolId, input }: Pick<StoredToolCall, 'input'> & { toolId: string },
): CallOrder => ({
  kind: 'tool',
  place: `${node.nodeKey} ${path} ${step}.${position}`,
  request: { tool: toolId, input },
});

/** Undefined when the call has a result; otherwise the time until which it waits for its approval. */
export type CallEnd = number | undefined;

/** A tool call that this attempt performs. */
export class PendingToolCall {
  readonly call: StoredToolCall;
  readonly step: number;
  readonly tool: AgentTool | undefined;

  constructor(
    readonly team: AgentTeam,
    readonly conversation: Conversation,
    { step, call }: { step: number; call: StoredToolCall },
  ) {
    this.step = step;
    this.call = call;
    this.tool = call.toolId === null ? undefined : conversation.toolSet.byId(call.toolId);
  }

  get ref(): ToolCallRef {
    return { path: this.conversation.path, step: this.step, position: this.call.position };
  }

  /** The agent that calls. */
  get agent(): OwnAiLenser {
    const agent = this.conversation.agents.at(-1);
    if (!agent) throw new Error(`no agent can call ${this.toolId}`);
    return agent;
  }

  get agentId(): string {
    return this.agent.id;
  }

  /** The tool as grants name it. */
  get toolId(): string {
    return this.call.toolId ?? this.call.name;
  }

  /** The arguments; a model may give something else than an object. */
  get input(): Record<string, unknown> {
    return isRecord(this.call.input) ? this.call.input : {};
  }

  /** The same for every attempt. */
  get idempotencyKey(): string {
    return `${this.team.toSeed(this.conversation.path)}:${this.step}:${this.call.position}`;
  }

  /** Changes the stored state, in the current transaction. */
  async move(
    ctx: Context,
    change: Omit<ToolCallMove, keyof ToolCallRef | 'from'>,
    locked?: LockedNode,
  ): Promise<boolean> {
    return moveToolCall(ctx, this.team.work.node, { ...this.ref, from: [this.call.state], ...change }, locked);
  }

  /** Stores the result, in the current transaction; false when the node belongs to another attempt. */
  async settle(
    ctx: Context,
    outcome: ToolOutcome,
    { locked, events = [] }: { locked?: LockedNode; events?: readonly NewRunEvent[] } = {},
  ): Promise<boolean> {
    const result = storable(outcome.text);
    const shown = { ...outcome, text: result };
    const { step, call, team } = this;
    const { path } = this.conversation;
    const change = {
      state: outcome.isUnknown ? 'unknown' : 'done',
      result,
      isError: outcome.isError,
      events: [...events, resultEvent(team, { path, step, call }, shown)],
    } as const;
    return this.move(ctx, change, locked);
  }

  /** Stores the result in a transaction of its own. */
  async settleAlone(outcome: ToolOutcome): Promise<undefined> {
    const isHeld = await this.team.write((ctx) => this.settle(ctx, outcome));
    if (!isHeld) throw new Stopped('lost');
    this.remember(outcome);
    return undefined;
  }

  /** Repeats for this process what is committed. */
  remember(outcome: ToolOutcome | ToolCallState, approvalId?: string): void {
    const { call } = this;
    if (approvalId !== undefined) call.approvalId = approvalId;
    if (typeof outcome === 'string') {
      call.state = outcome;
      return;
    }
    call.state = outcome.isUnknown ? 'unknown' : 'done';
    call.result = storable(outcome.text);
    call.isError = outcome.isError;
  }

  /** Records the verdict in the log of the agent, late in the transaction, because the log stays locked until the commit. */
  async recordVerdict(ctx: Context, { verdict, reason }: Decided): Promise<void> {
    if (this.conversation.agents.length === 0) return;
    await recordAgentEvent(ctx, {
      agentId: this.agentId,
      runId: this.team.work.node.runId,
      type: 'tool.decided',
      payload: { toolId: this.toolId, verdict, ...(reason !== undefined && { reason }) },
    });
  }

  /** For a name that is no granted tool, or a tool that was revoked since it was asked for. */
  async refuseUnknownTool(): Promise<undefined> {
    if (this.call.state === 'running') return this.settleAlone(unknownOutcome);
    const text = `There is no tool ${this.toolId} for you`;
    const outcome = { text, isError: true };
    const isHeld = await this.team.write(async (ctx) => {
      if (!(await this.settle(ctx, outcome))) return false;
      await this.recordVerdict(ctx, { verdict: 'deny', reason: 'not_granted' });
      return true;
    });
    if (!isHeld) throw new Stopped('lost');
    this.remember(outcome);
    return undefined;
  }
}

export const deniedOutcome = (toolId: string, reason: string): ToolOutcome => ({
  text: `The call of ${toolId} was not performed: ${reason}`,
  isError: true,
});

export const unknownOutcome: ToolOutcome = {
  text: 'It is unknown whether this call had its effect: the worker was lost while it waited for the result. Check before you repeat it.',
  isError: true,
  isUnknown: true,
};

/** The text as it is stored: at most 100,000 characters, well-formed. */
export const storable = (text: string): string => text.slice(0, maxResult).toWellFormed().replaceAll('\0', '\uFFFD');
