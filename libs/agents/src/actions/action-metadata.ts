import {
  type ActionContext,
  type AgentAction,
  CastVoteMetadata,
  CreateBattleMetadata,
  InvalidInput,
  JoinBattleMetadata,
  RunLensMetadata,
  RunWorkflowMetadata,
  type Shape,
  SubmitEntryMetadata,
  parse,
} from '@lensforge/contracts';
import { badInput, badInputs, toSnakeCase } from '@lensforge/core';

const shapes = {
  run_lens: RunLensMetadata,
  run_workflow: RunWorkflowMetadata,
  submit_entry: SubmitEntryMetadata,
  cast_vote: CastVoteMetadata,
  join_battle: JoinBattleMetadata,
  create_battle: CreateBattleMetadata,
} as const satisfies Record<AgentAction, Shape>;

export type MetadataOf<A extends AgentAction> = InstanceType<(typeof shapes)[A]>;

/** The kind of thing that each action is about; battles are created out of nothing. */
const contexts: Readonly<Record<AgentAction, ActionContext | null>> = {
  run_lens: 'lens',
  run_workflow: 'workflow',
  submit_entry: 'battle',
  cast_vote: 'battle',
  join_battle: 'battle',
  create_battle: null,
};

export interface GivenMetadata {
  contextType?: ActionContext | undefined;
  /** The id of the thing, instead of its member in the metadata. */
  contextId?: string | undefined;
  metadata: Readonly<Record<string, unknown>>;
}

/** The metadata with the names of its members in snake_case, and with the id of the context. */
export function completeMetadata(action: AgentAction, given: GivenMetadata): Record<string, unknown> {
  const { contextType, contextId, metadata } = given;
  const named = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [toSnakeCase(name), value]));
  const context = contexts[action];
  if (contextType !== undefined && contextType !== context) {
    throw badInput('contextType', context === null ? `has no use in ${action}` : `must be ${context} for ${action}`);
  }
  if (contextId === undefined) return named;
  if (context === null) throw badInput('contextId', `has no use in ${action}`);
  const member = `${context}_id`;
  if (named[member] !== undefined && named[member] !== contextId) {
    throw badInput('contextId', `must be the same as metadata.${member}, if both are given`);
  }
  return { ...named, [member]: contextId };
}

/** The validated metadata of an action. */
export function parseMetadata<A extends AgentAction>(action: A, metadata: Record<string, unknown>): MetadataOf<A> {
  try {
    return parse(shapes[action] as Shape<MetadataOf<A>>, metadata);
  } catch (reason) {
    if (!(reason instanceof InvalidInput)) throw reason;
    throw badInputs(reason.issues.map(({ path, message }) => ({ path: `metadata.${path}`, message })));
  }
}

const maxKey = 128;

/** The idempotency key of an action, before the rest of its metadata is validated. */
export function idempotencyKeyIn({ idempotency_key: key }: Record<string, unknown>): string | null {
  if (key === undefined) return null;
  if (typeof key === 'string' && key !== '' && key.length <= maxKey) return key;
  throw badInput('metadata.idempotency_key', `must be a text of 1 to ${maxKey} characters`);
}
