import type { StepRef } from '../step-ref.js';

/** The position of a tool call within its node. */
export interface ToolCallRef extends StepRef {
  /** Within its step, from 1. */
  position: number;
}

export const toolCallStates = ['pending', 'running', 'waiting', 'done', 'unknown'] as const;
/** unknown: a worker was lost during a call that must not be repeated. */
export type ToolCallState = (typeof toolCallStates)[number];

export interface NewToolCall {
  /** The id and the name that the model gave. */
  callId: string;
  name: string;
  input: unknown;
  /** Data of the provider that it needs back. */
  metadata: Readonly<Record<string, unknown>> | null;
  /** The tool as grants name it; null when there is no such tool. */
  toolId: string | null;
  /** Present when the call is performed already. */
  result?: { text: string; isError: boolean };
}

export interface StoredToolCall extends Omit<NewToolCall, 'result'> {
  position: number;
  state: ToolCallState;
  /** The approval, or the wait for the result of the caller. */
  approvalId: string | null;
  result: string | null;
  isError: boolean | null;
}

/** A finished step of an agent. */
export interface StoredStep extends StepRef {
  text: string;
  /** The number of earlier tool results that the request had in short. */
  reduced: number;
  calls: StoredToolCall[];
}

/** The consumption of all agents of a node. */
export interface StepUsage {
  steps: number;
  tokens: number;
  /** The milliseconds of workers. */
  activeMs: number;
}
