import type { Vote, VoteRequest } from '@lensforge/contracts';
import { type Context, DomainError, batchCalls } from '@lensforge/core';
import { perDatabase, preparedStatement, retryOutsideTransaction, toJsonb } from '@lensforge/database';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { readableBattle } from '../access.js';
import { ballotOrder } from '../ballot.js';
import type { StoredBattle } from '../battle.entity.js';
import { toPlaces } from './places.js';

export interface VoteOrder extends VoteRequest {
  battleId: string;
}

/** The parts of a battle that cannot change while it votes. */
interface OpenVote {
  battle: Pick<StoredBattle, 'id' | 'battleType' | 'blindKey'>;
  /** Contenders, and the owners of AI contenders. */
  participants: readonly string[];
  /** The contenders who have submitted. */
  entries: readonly { id: string }[];
}

/** By battle. Those of battles that have left `voting` do no harm until they are evicted. */
const openVotes = perDatabase(() => new LRUCache<string, OpenVote>({ max: 1000 }));

interface NewVote {
  battleId: string;
  accountId: string;
  ranking: string[][];
  entryOrder: string[];
  comment: string | null;
  participants: readonly string[];
}

type Written = Pick<Vote, 'createdAt' | 'updatedAt'>;

/**
 * An AI lenser is excluded with its owner. The key share lock makes a move out of `voting` wait for this statement. The
 * order of the rows is the same in all processes, so that none wait for each other.
 */
const upsert = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("battleId" uuid, "accountId" uuid, ranking jsonb, "entryOrder" uuid[],
                                                   comment text, participants uuid[])
), open as materialized (
  select id, battle_type from battles
   where id = any (array(select distinct "battleId" from input)) and status = 'voting' for key share
), voters as materialized (
  select id, kind, owner_account_id from accounts
   where id = any (array(select distinct "accountId" from input)) and disabled_at is null
), written as (
  insert into battle_votes as v (battle_id, account_id, ranking, entry_order, comment)
  select b.id, a.id, i.ranking, i."entryOrder", i.comment
    from input i join open b on b.id = i."battleId" join voters a on a.id = i."accountId"
   where coalesce(a.owner_account_id, a.id) <> all (i.participants)
     and a.kind = case b.battle_type when 'human_vs_human_ai_votes' then 'agent' else 'person' end
   order by b.id, a.id
  on conflict (battle_id, account_id) do update
     set ranking = excluded.ranking, entry_order = excluded.entry_order, comment = excluded.comment, updated_at = now()
  returning v.battle_id, v.account_id, v.created_at, v.updated_at
)
select battle_id as "battleId", account_id as "accountId", iso(created_at) as "createdAt", iso(updated_at) as "updatedAt"
  from written`);

const toVoteKey = ({ battleId, accountId }: Pick<NewVote, 'battleId' | 'accountId'>): string =>
  `${battleId} ${accountId}`;

/** Writes votes in one statement; undefined for a refused one. Of several votes of an account the last one counts. */
async function writeVotes(db: EntityManager, votes: readonly NewVote[]): Promise<(Written | undefined)[]> {
  const last = new Map(votes.map((vote) => [toVoteKey(vote), vote]));
  const rows = await db.query<(NewVote & Written)[]>(upsert, [toJsonb([...last.values()])]);
  const written = new Map(
    rows.map((row): [string, Written] => [toVoteKey(row), { createdAt: row.createdAt, updatedAt: row.updatedAt }]),
  );
  return votes.map((vote) => written.get(toVoteKey(vote)));
}

/** Concurrent votes share a statement and its commit. */
const voteWriters = perDatabase((db) =>
  batchCalls((votes: NewVote[]) => writeVotes(db, votes), { maxSize: 100, concurrency: 3 }),
);

/** Casts or replaces the vote of the caller. Ids are those of the caller's ballot. */
export async function castVote(ctx: Context, { battleId, comment, ...vote }: VoteOrder): Promise<Vote> {
  const { accountId } = ctx.actor;
  const open = knownVote(ctx, battleId) ?? (await retryOutsideTransaction(ctx, () => readOpenVote(ctx, battleId)));
  const { battle, participants, entries } = open;
  if (participants.includes(accountId)) throw participates();
  const ballot = ballotOrder(battle, accountId, entries);
  const ranking = toPlaces(vote, ballot);
  const accepted: NewVote = {
    battleId: battle.id,
    accountId,
    ranking: ranking.map((group) => group.map((id) => ballot.get(id)?.id ?? id)),
    entryOrder: [...ballot.values()].map(({ id }) => id),
    comment: comment ?? null,
    participants,
  };
  const written = await retryOutsideTransaction(ctx, async () =>
    // Within a transaction of the caller a shared statement would use another connection.
    ctx.db.queryRunner ? (await writeVotes(ctx.db, [accepted]))[0] : voteWriters.of(ctx)(accepted),
  );
  if (!written) throw await refusal(ctx, open);
  return { battleId: battle.id, ranking, comment: accepted.comment, ...written };
}

const knownVote = (ctx: Context, battleId: string): OpenVote | undefined =>
  openVotes.of(ctx).get(battleId.toLowerCase());

async function readOpenVote(ctx: Context, battleId: string): Promise<OpenVote> {
  const id = battleId.toLowerCase();
  const { battle } = await readableBattle(ctx, id);
  if (battle.status !== 'voting') throw notVoting(battle);
  // Read after the status, since contenders and submissions are final only now.
  const contenders = await ctx.db.query<{ id: string; accounts: string[]; submitted: boolean }[]>(
    `select c.id, array[c.lenser_account_id, c.owner_account_id] as accounts, s.contender_id is not null as submitted
       from battle_contenders c left join battle_submissions s on s.contender_id = c.id
      where c.battle_id = $1`,
    [id],
  );
  const { battleType, blindKey } = battle;
  const found = {
    battle: { id, battleType, blindKey },
    participants: [...new Set(contenders.flatMap(({ accounts }) => accounts))],
    entries: contenders.filter(({ submitted }) => submitted).map((contender) => ({ id: contender.id })),
  };
  openVotes.of(ctx).set(id, found);
  return found;
}

/** The reason why the statement wrote nothing. */
async function refusal(ctx: Context, { battle: { id, battleType }, participants }: OpenVote): Promise<DomainError> {
  const { battle } = await readableBattle(ctx, id);
  if (battle.status !== 'voting') return notVoting(battle);
  const [account] = await ctx.db.query<{ owner: string | null }[]>(
    'select owner_account_id as owner from accounts where id = $1',
    [ctx.actor.accountId],
  );
  if (account?.owner && participants.includes(account.owner)) return participates();
  const voters = battleType === 'human_vs_human_ai_votes' ? 'AI lensers' : 'people';
  return new DomainError('FORBIDDEN', `In a battle of the type ${battleType} only ${voters} vote`);
}

const notVoting = ({ status }: Pick<StoredBattle, 'status'>): DomainError =>
  new DomainError('INVALID_TRANSITION', `The battle is ${status}; votes are cast while it is voting`, { status });

const participates = (): DomainError =>
  new DomainError('FORBIDDEN', 'Contenders, their owners and their AI lensers do not vote in their own battle');
