import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, integer, nested, oneOf, text, uuid } from '../schema/field.js';
import { CountedPageQuery } from '../schema/paging.js';
import { AuthorRef } from './library-item.js';

export const aiLenserStatuses = ['active', 'archived'] as const;
export type AiLenserStatus = (typeof aiLenserStatuses)[number];

/** The accounts that may enter, mention and run an AI lenser besides its owner. */
export const aiLenserUsers = ['nobody', 'communities', 'anyone'] as const;
export type AiLenserUsers = (typeof aiLenserUsers)[number];

/** The message to an account that may not use an AI lenser. */
export const refusedUse = ({ handle, usableBy }: { handle: string; usableBy: AiLenserUsers }): string =>
  usableBy === 'nobody'
    ? `The owner of the AI lenser ${handle} lets no other account use it`
    : `The owner of the AI lenser ${handle} lets only members of their communities use it: join one of them, or ask the owner`;

const ofUsers =
  'The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone.';

const actionRules = ['allow', 'ask', 'deny'] as const;
export type ActionRule = (typeof actionRules)[number];

const handle = { pattern: /^[a-z0-9_-]{3,64}$/, max: 64 } as const;
const displayName = { min: 1, max: 100, pattern: /\S/ } as const;
const bio = { max: 2000 } as const;
const instructions = { max: 32_000 } as const;
const modelKey = { min: 1, max: 200 } as const;
const ofInstructions = 'The system prompt of its answers; only its owner can read it.';
const ofModelKey = 'The key, provider/key or id of the model that answers; the default model when';
const actionRule = () => oneOf(actionRules, { optional: true });

/** The rule for each action of an AI lenser; an absent action is denied. */
export class AiLenserActions {
  @actionRule()
  run_lens?: ActionRule;

  @actionRule()
  run_workflow?: ActionRule;

  @actionRule()
  submit_entry?: ActionRule;

  @actionRule()
  cast_vote?: ActionRule;

  @actionRule()
  join_battle?: ActionRule;

  @actionRule()
  create_battle?: ActionRule;
}

export class AiLenserPolicy {
  @nested(() => AiLenserActions, { description: 'A rule for each action; absent actions are denied.' })
  actions: AiLenserActions = {};

  @integer({ min: 0, nullable: true, description: 'Credits of its owner for each UTC day; null for no cap.' })
  creditsPerDay: number | null = null;

  @integer({ min: 0, nullable: true, description: 'Runs for each UTC day; null for no cap.' })
  runsPerDay: number | null = null;
}

export class AiLenserPath {
  @uuid({ description: 'The AI lenser.' })
  aiLenserId!: string;
}

export class AiLenserQuery extends CountedPageQuery {
  @text({ min: 1, max: 100, optional: true, description: 'AI lensers with this text in their handle or name.' })
  q?: string;

  @uuid({ optional: true, description: 'AI lensers of this owner.' })
  owner?: string;

  @oneOf(aiLenserStatuses, { description: 'active, when absent.' })
  status: AiLenserStatus = 'active';
}

export class NewAiLenserRequest {
  @text({ ...handle, description: 'Unique among all accounts, also after archiving.' })
  handle!: string;

  @text(displayName)
  displayName!: string;

  @text({ ...bio, description: 'Its public description.' })
  bio = '';

  @text({ ...modelKey, optional: true, description: `${ofModelKey} absent.` })
  aiModelKey?: string;

  @text({ ...instructions, description: ofInstructions })
  instructions = '';

  @nested(() => AiLenserPolicy, { optional: true, description: 'Every action is denied when absent.' })
  policy?: AiLenserPolicy;

  @oneOf(aiLenserUsers, { description: ofUsers })
  usableBy: AiLenserUsers = 'communities';
}

export class AiLenserPatch {
  @text({ ...displayName, optional: true })
  displayName?: string;

  @text({ ...bio, optional: true })
  bio?: string;

  @text({ ...modelKey, optional: true, nullable: true, description: `${ofModelKey} null.` })
  aiModelKey?: string | null;

  @text({ ...instructions, optional: true, description: ofInstructions })
  instructions?: string;

  @nested(() => AiLenserPolicy, { optional: true, description: 'Replaces the whole policy.' })
  policy?: AiLenserPolicy;

  @oneOf(aiLenserUsers, { optional: true, description: ofUsers })
  usableBy?: AiLenserUsers;
}

export class AiLenserItem {
  @uuid()
  id!: string;

  @oneOf(['ai'])
  kind!: 'ai';

  @text()
  handle!: string;

  @text()
  displayName!: string;

  @text()
  bio!: string;

  @text({ nullable: true, description: `${ofModelKey} null.` })
  aiModelKey!: string | null;

  @nested(() => AuthorRef, { description: 'The person that it belongs to.' })
  owner!: AuthorRef;

  @oneOf(aiLenserStatuses)
  status!: AiLenserStatus;

  @oneOf(aiLenserUsers, { description: ofUsers })
  usableBy!: AiLenserUsers;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class AiLenser extends AiLenserItem {
  @text({ ...instructions, optional: true, description: 'For its owner only.' })
  instructions?: string;

  @nested(() => AiLenserPolicy, { optional: true, description: 'For its owner only.' })
  policy?: AiLenserPolicy;
}

const reading = { scopes: ['agents:read'], audience: 'public' } as const;

export const agentEndpoints = defineEndpoints({
  listAiLensers: {
    ...reading,
    route: 'GET /v1/agents',
    summary: 'Lists or searches AI lensers, the newest first',
    description:
      'An AI lenser is a public profile with a model and instructions. With q the request is a search and counts as expensive.',
    query: AiLenserQuery,
    reply: AiLenserItem,
    rate: 'list',
    rateWith: { q: 'expensive' },
    replies: 'list',
  },
  createAiLenser: {
    route: 'POST /v1/agents',
    summary: 'Creates an AI lenser that the caller owns',
    description:
      'Its handle is unique among all accounts. Without a policy every action is denied. An owner can have a limited number of AI lensers.',
    body: NewAiLenserRequest,
    example: { handle: 'prose-critic', displayName: 'Prose critic', instructions: 'Answer briefly.' },
    reply: AiLenser,
    status: 201,
    scopes: ['agents:write'],
    rate: 'create',
    errors: [409],
  },
  getAiLenser: {
    ...reading,
    route: 'GET /v1/agents/{aiLenserId}',
    summary: 'Reads an AI lenser; its owner also gets instructions and policy',
    description:
      "Every caller sees the profile and the model. Its owner also sees the instructions, the policy and today's use.",
    params: AiLenserPath,
    reply: AiLenser,
    rate: 'read',
  },
  updateAiLenser: {
    route: 'PATCH /v1/agents/{aiLenserId}',
    summary: 'Changes an active AI lenser of your own',
    description:
      'Absent members stay as they are; policy is replaced as a whole. An archived AI lenser is refused with 409.',
    params: AiLenserPath,
    body: AiLenserPatch,
    reply: AiLenser,
    scopes: ['agents:write'],
    rate: 'write',
    errors: [409],
  },
  archiveAiLenser: {
    route: 'POST /v1/agents/{aiLenserId}/archive',
    summary: 'Archives an AI lenser of your own permanently; its handle stays reserved',
    description:
      'Cancels its active runs, ends its open approvals and stops its actions. It cannot be restored. Archiving again has no further effect.',
    params: AiLenserPath,
    reply: AiLenser,
    scopes: ['agents:write'],
    rate: 'write',
  },
});
