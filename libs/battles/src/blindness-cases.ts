import { type BattleStatus, battleStatuses, isRecord } from '@lensforge/contracts';

export const battleViewers = [
  'creator',
  'participant',
  'owner of an AI contender',
  'voter',
  'second voter',
  'stranger who cannot vote',
  'anonymous caller',
] as const;
export type BattleViewer = (typeof battleViewers)[number];

export interface BlindBattle {
  battleId: string;
  accounts: Readonly<Record<BattleViewer, string>>;
  contenders: readonly { letter: string; id: string; refId: string; name: string; text: string | undefined }[];
}

/** The contenders, by letter, that an answer shows. */
export interface Knowledge {
  /** Contenders whose id, profile or name is in the answer. */
  identities: string;
  /** Contenders whose text stands with their id. */
  attributed: string;
  /** Contenders whose text stands with another id. */
  ballot: string;
}

/** The knowledge in an answer of any door: of the use case, REST or a tool. */
export function knowledgeIn({ contenders }: BlindBattle, answer: unknown): Knowledge {
  const found = { identities: '', attributed: '', ballot: '' };
  const json = JSON.stringify(answer);
  const entries = objectsIn(answer);
  for (const { letter, id, refId, name, text } of contenders) {
    if ([id, refId, name].some((mark) => json.includes(mark))) found.identities += letter;
    if (text === undefined || !json.includes(JSON.stringify(text).slice(1, -1))) continue;
    const holders = entries.filter((entry) => Object.values(entry).includes(text));
    if (holders.some((entry) => Object.values(entry).includes(id))) found.attributed += letter;
    if (holders.some((entry) => !Object.values(entry).includes(id))) found.ballot += letter;
  }
  return found;
}

export function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const nothing: Knowledge = { identities: '', attributed: '', ballot: '' };
const everything: Knowledge = { identities: 'ABCD', attributed: 'ABC', ballot: '' };

/** The knowledge that each viewer must get from a battle in each status; undefined when they must not find it. */
export function permittedKnowledge(viewer: BattleViewer, status: BattleStatus): Knowledge | undefined {
  const isClosed = status === 'closed' || status === 'published';
  const isVoting = status === 'voting';
  switch (viewer) {
    case 'creator':
      return isClosed ? everything : { identities: 'ABCD', attributed: 'C', ballot: isVoting ? 'ABC' : '' };
    case 'participant':
      return isClosed ? everything : { identities: 'ABCD', attributed: 'A', ballot: '' };
    case 'owner of an AI contender':
      return isClosed ? everything : { identities: 'ABCD', attributed: 'C', ballot: '' };
    case 'voter':
    case 'second voter':
      if (isVoting) return { ...nothing, ballot: 'ABC' };
      return status === 'published' ? everything : undefined;
    case 'stranger who cannot vote':
    case 'anonymous caller':
      if (isVoting) return nothing;
      return status === 'published' ? everything : undefined;
  }
}

/** Each viewer with each status. */
export const blindnessCases: readonly (readonly [BattleViewer, BattleStatus])[] = battleViewers.flatMap((viewer) =>
  battleStatuses.map((status) => [viewer, status] as const),
);

/** Contenders whose ids stand in a list of ids or as a winner, which is what votes and results consist of. */
export function placedIn({ contenders }: Pick<BlindBattle, 'contenders'>, answer: unknown): string {
  const placed = new Set(idsInPlaces(answer));
  return contenders.flatMap(({ letter, id }) => (placed.has(id) ? [letter] : [])).join('');
}

function idsInPlaces(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => (typeof each === 'string' ? [each] : idsInPlaces(each)));
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, each]) => (name === 'winner' ? [each] : idsInPlaces(each)))
    : [];
}

type ArgumentsFor = (battle: { battleId: string; creatorId: string; aiLenserId: string }) => object;

/**
 * All endpoints, tools and events that can show something of a battle. Tests call each of them as every viewer while the battle
 * is blind, and compare these names with the tables of endpoints, tools and events, so that a new one needs a line here.
 */
export const battleDoors = {
  /** Endpoints that change something and reply with parts of a battle. Tests call all endpoints that read. */
  writes: [
    'addContender',
    'castVote',
    'createBattle',
    'executeBattle',
    'runAgentAction',
    'setBattleStatus',
    'submitEntry',
    'updateBattle',
    'withdrawContender',
  ],
  /** Ids in paths of endpoints that read, by which tests read a battle, its thread and its contenders. */
  idsOfBattles: ['battleId', 'battleType', 'aiLenserId', 'threadId', 'messageId'],
  /** Ids in paths of other objects, which belong to one account. */
  otherIds: [
    'artifactId',
    'communityId',
    'connectorId',
    'datasetId',
    'deliveryId',
    'endpointId',
    'experimentId',
    'keyId',
    'lensId',
    'mcpServerId',
    'operationId',
    'partnerName',
    'proposalId',
    'queueId',
    'recordingId',
    'replayId',
    'ruleId',
    'runId',
    'scheduleId',
    'scorerId',
    'teamRunId',
    'version',
    'versionId',
    'webhookId',
    'workflowId',
  ],
  /** Endpoints that stream, with the events that they have of a battle; the others are of objects of the caller. */
  streams: {
    streamBattleEvents: 'numbers and statuses',
    streamThreadEvents: 'messages about the battle',
    streamExperimentEvents: 'cells of the caller',
    streamAgentEvents: 'actions of AI lensers of the caller',
    streamRunEvents: 'runs of the caller',
    streamGroupEvents: 'runs of the caller',
  },
  /** Tools that read something of a battle, with arguments. */
  tools: {
    list_battles: ({ creatorId: creator_lenser_id }) => ({ creator_lenser_id }),
    get_battle: ({ battleId: battle_id }) => ({ battle_id }),
    get_battle_score: ({ battleId: battle_id }) => ({ battle_id }),
    get_battle_history: ({ creatorId: lenser_id }) => ({ lenser_id }),
    list_agent_run_events: ({ aiLenserId: ai_lenser_id }) => ({ ai_lenser_id }),
  } satisfies Record<string, ArgumentsFor>,
  /** Tools that reply with parts of a battle which they change. */
  writingTools: ['add_battle_contender', 'create_battle', 'run_agent_action', 'set_battle_status', 'submit_battle_run'],
  /** Events of battles; none of their members is a text or an id. */
  battleEvents: [
    'contender.added',
    'contender.withdrawn',
    'judging.progress',
    'status.changed',
    'submission.received',
    'votes.counted',
  ],
  /** Events for webhooks: when they have something of a battle. */
  webhooks: {
    'battle.completed': 'at the closing',
    'experiment.completed': 'never',
    'label.returned': 'never',
    'lens.published': 'never',
    'member.joined': 'never',
    'run.completed': 'answers of AI contenders, for the creator',
    'run.failed': 'answers of AI contenders, for the creator',
    'run.scored': 'never',
  },
} as const;
