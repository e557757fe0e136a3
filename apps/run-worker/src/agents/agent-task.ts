import type { Message } from '@lensforge/models';
import type { OwnAiLenser } from '@lensforge/identity';
import type { ModelRequest } from '../engine/model-request.js';
import type { AgentModel } from './agent-model.js';
import type { AgentTeam } from './agent-team.js';
import type { AgentToolSet } from './agent-tools.js';

/** The task of an agent. */
export interface AgentTask {
  /** The agent, behind those that have called it, outermost first. */
  agents: readonly [...OwnAiLenser[], OwnAiLenser];
  path: string;
  task: string;
  /** Data that belongs to the task. */
  inputs: Readonly<Record<string, unknown>>;
  instructions?: string | undefined;
  model?: string | undefined;
  /** The granted tools that can be used; all of them when absent. */
  tools?: readonly string[] | undefined;
  outputSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** A conversation with a model, apart from its steps so far. */
export interface Conversation {
  path: string;
  /** The agent at work, behind those that have called it; for a lens, the one that its tools are of, if any. */
  agents: readonly OwnAiLenser[];
  isOfLens?: boolean;
  /** The part that is the same in each request. */
  request: Pick<
    ModelRequest,
    'system' | 'prompt' | 'stableLength' | 'images' | 'sampling' | 'settings' | 'allowedModels' | 'lens'
  >;
  /** The turns between the prompt and the first step. */
  opening: readonly Message[];
  toolSet: AgentToolSet;
  chosen: AgentModel;
  outputSchema: Readonly<Record<string, unknown>> | undefined;
  faultIn: (text: string) => string | undefined;
}

export type AgentAnswer =
  | { kind: 'answer'; text: string }
  /** A tool call, also of an agent that was called, waits for its approval or for the caller. */
  | { kind: 'waiting'; dueMs: number };

/** Has an agent work on a task; agents call each other through it. */
export type Converse = (team: AgentTeam, task: AgentTask) => Promise<AgentAnswer>;
