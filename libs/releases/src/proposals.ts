import {
  type Context,
  DomainError,
  type Page,
  type PageRequest,
  cursorOfRow,
  decodeCursor,
  newId,
  toPage,
} from '@lensforge/core';
import { MoreThan } from 'typeorm';
import { LensLabel, WorkflowLabel } from './label.entity.js';
import { type ProposedMove, StoredLabelProposal } from './label-proposal.entity.js';

const keptMs = 7 * 86_400_000;

/** The account of the person behind a request: the caller, or the creator of a token of a community. */
const personBehind = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.credential.creatorId ?? actor.accountId;

/** Stores a move for a second person, in place of an earlier one. */
export async function propose(
  ctx: Context,
  of: Pick<StoredLabelProposal, 'kind' | 'ownerId' | 'accountId' | 'label' | 'approvers'> & { move: ProposedMove },
  earlier: string | null,
): Promise<string> {
  if (earlier !== null) await supersede(ctx, earlier);
  const [id, proposedAt] = [newId(), ctx.now()];
  const expiresAt = new Date(proposedAt.getTime() + keptMs);
  await ctx.db.insert(StoredLabelProposal, {
    id,
    ...of,
    proposedBy: personBehind(ctx),
    proposedAt,
    expiresAt,
    status: 'pending',
  });
  return id;
}

export const findProposal = ({ db }: Context, id: string): Promise<StoredLabelProposal | null> =>
  db.findOneBy(StoredLabelProposal, { id });

/** The proposals that wait, the newest first: those of the caller's account, and those that the caller may decide. */
export async function listProposalIds({ db, actor }: Context, page: PageRequest): Promise<Page<{ id: string }>> {
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor).id;
  const rows = await db.query<{ id: string; at: string }[]>(
    `select p.id, iso(p.proposed_at) as at from label_proposals p
      where p.status = 'pending' and p.expires_at > now() and ($2::uuid is null or p.id < $2)
        and (p.account_id = $1 or p.approvers @> array[$1::uuid]
             or (p.approvers is null and p.account_id = any (array(select community_id from memberships
                                                                    where account_id = $1 and role in ('owner', 'admin')))))
      order by p.id desc limit $3 offset $4`,
    [actor.accountId, after, page.limit + 1, page.offset ?? 0],
  );
  return toPage(rows, page, ({ id, at: createdAt }) => cursorOfRow({ id, createdAt }));
}

/** Ends a proposal whose label moved otherwise. */
export async function supersede({ db, ...ctx }: Context, id: string): Promise<void> {
  await db.update(StoredLabelProposal, { id, status: 'pending' }, { status: 'superseded', decidedAt: ctx.now() });
}

/** Takes a proposal from its label. */
export async function freeLabel(
  { db }: Context,
  {
    kind,
    ownerId,
    label,
    proposalId,
  }: { kind: 'lens' | 'workflow'; ownerId: string; label: string; proposalId: string },
): Promise<void> {
  await db.update(kind === 'lens' ? LensLabel : WorkflowLabel, { ownerId, label, proposalId }, { proposalId: null });
}

/** Decides a proposal once. */
export async function decide(
  { db, ...ctx }: Context,
  id: string,
  decision: Pick<StoredLabelProposal, 'status' | 'decidedBy' | 'comment'>,
): Promise<void> {
  const now = ctx.now();
  const open = { id, status: 'pending' as const, expiresAt: MoreThan(now) };
  const { affected } = await db.update(StoredLabelProposal, open, { ...decision, decidedAt: now });
  if (affected !== 1) throw new DomainError('CONFLICT', 'This proposal was decided, was replaced or has expired');
}
