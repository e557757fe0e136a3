import type { OwnAiLenser } from '@lensforge/identity';
import type { AgentModel } from './agent-model.js';
import type { AgentTeam } from './agent-team.js';
import type { AgentToolSet } from './agent-tools.js';

/** The task of an agent. */
export interface AgentTask {
  agent: OwnAiLenser;
  path: string;
  task: string;
  /** Data that belongs to the task. */
  inputs: Readonly<Record<string, unknown>>;
  instructions?: string | undefined;
  model?: string | undefined;
  /** The granted tools that can be used; all of them when absent. */
  tools?: readonly string[] | undefined;
  outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** The agents that have called this one, outermost first. */
  callers: readonly OwnAiLenser[];
}

/** An agent at work, with all that follows from its task. */
export interface Conversation extends AgentTask {
  system: string;
  prompt: string;
  toolSet: AgentToolSet;
  model: undefined;
  chosen: AgentModel;
  faultIn: (text: string) => string | undefined;
}

export type AgentAnswer =
  | { kind: 'answer'; text: string }
  /** A tool call, also of an agent that was called, waits for its approval. */
  | { kind: 'waiting'; dueMs: number };

/** Has an agent work on a task; agents call each other through it. */
export type Converse = (team: AgentTeam, task: AgentTask) => Promise<AgentAnswer>;
