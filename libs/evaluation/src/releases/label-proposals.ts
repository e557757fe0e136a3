import { recordAudit } from '@lensforge/audit';
import type { LabelProposal, ProposalDecision } from '@lensforge/contracts';
import { type Context, DomainError, type Page, type PageRequest, isServiceRole, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { administers } from '@lensforge/identity';
import { listLensVersionNames, setLensLabel } from '@lensforge/lenses';
import { type StoredLabelProposal, decide, findProposal, freeLabel, listProposalIds } from '@lensforge/releases';
import { listWorkflowVersionNames, setWorkflowLabel } from '@lensforge/workflows';
import { findEvidence } from '../experiments/find-evidence.js';

/** The proposals that wait: those of the caller's account, and those that the caller may decide. */
export async function listLabelProposals(ctx: Context, page: PageRequest): Promise<Page<LabelProposal>> {
  const { items, ...rest } = await listProposalIds(ctx, page);
  return { ...rest, items: await Promise.all(items.map(({ id }) => readLabelProposal(ctx, id))) };
}

/** A proposal of the caller's account, or one that the caller may decide. */
export async function readLabelProposal(ctx: Context, proposalId: string): Promise<LabelProposal> {
  const proposal = await findProposal(ctx, proposalId);
  const canDecide = proposal !== null && (await mayDecide(ctx, proposal));
  const isOwn = proposal?.accountId === ctx.actor.accountId || isServiceRole(ctx);
  if (!proposal || !(canDecide || isOwn || isNamed(ctx, proposal))) throw notFound('label proposal', proposalId);
  return toProposal(ctx, proposal, canDecide);
}

/** Approves a proposal, which makes its move at once, or declines it. */
export async function decideLabelProposal(
  ctx: Context,
  { proposalId, decision, comment = null }: { proposalId: string; decision: ProposalDecision; comment?: string | null },
): Promise<LabelProposal> {
  const { accountId: by } = ctx.actor;
  await inTransaction(ctx, async (ctx) => {
    const proposal = await findProposal(ctx, proposalId);
    if (!proposal) throw notFound('label proposal', proposalId);
    await requireMayAnswer(ctx, proposal, decision);
    const status = decision === 'approve' ? 'approved' : 'declined';
    if (decision === 'approve') await makeMove(ctx, proposal);
    else await declineMove(ctx, proposal);
    await decide(ctx, proposalId, { status, decidedBy: by, comment });
  });
  return readLabelProposal(ctx, proposalId);
}

async function requireMayAnswer(
  ctx: Context,
  proposal: StoredLabelProposal,
  decision: ProposalDecision,
): Promise<void> {
  const { accountId, credential } = ctx.actor;
  const isOwn = proposal.accountId === accountId;
  if (decision === 'decline' && isOwn) return;
  if (!isOwn && !isNamed(ctx, proposal) && !(await isAdministrator(ctx, proposal)))
    throw notFound('label proposal', proposal.id);
  if (credential.kind !== 'session')
    throw new DomainError('FORBIDDEN', 'Only a person who is signed in can approve, for example in the console');
  if (await mayDecide(ctx, proposal)) return decision === 'approve' ? requireProposerStays(ctx, proposal) : undefined;
  throw new DomainError('FORBIDDEN', 'Another person than the one who proposed this move must approve it');
}

/** Refuses a move of a person who no longer administers the community. */
async function requireProposerStays(ctx: Context, { proposedBy, accountId }: StoredLabelProposal): Promise<void> {
  if (proposedBy === null) return;
  const asProposer = { ...ctx, actor: { ...ctx.actor, accountId: proposedBy } };
  if (await administers(asProposer, accountId)) return;
  throw new DomainError(
    'CONFLICT',
    'The one who proposed this move no longer administers the community: propose it again',
  );
}

const isNamed = ({ actor }: Context, { approvers }: StoredLabelProposal): boolean =>
  approvers?.includes(actor.accountId) ?? false;

const isAdministrator = async (ctx: Context, { approvers, accountId }: StoredLabelProposal): Promise<boolean> =>
  approvers === null && accountId !== ctx.actor.accountId && (await administers(ctx, accountId));

/** True for a signed-in person among the approvers who did not propose the move. */
async function mayDecide(ctx: Context, proposal: StoredLabelProposal): Promise<boolean> {
  const { accountId, credential } = ctx.actor;
  if (credential.kind !== 'session' || proposal.proposedBy === accountId || proposal.accountId === accountId)
    return false;
  return isNamed(ctx, proposal) || isAdministrator(ctx, proposal);
}

/** Makes the move of a proposal with the rights of its account, in the name of the person who approves it. */
async function makeMove(
  ctx: Context,
  { id, kind, ownerId, accountId, label, move }: StoredLabelProposal,
): Promise<void> {
  const acting = { ...ctx, actor: { ...ctx.actor, accountId } };
  const { versionId: version, evidence: _, arms, ...rest } = move;
  const wanted = arms?.map((arm) => ({ version: arm.versionId, weight: arm.weight })) ?? null;
  const approval = { proposalId: id, by: ctx.actor.accountId };
  const order = { label, version, arms: wanted, ...rest, approval };
  if (kind === 'lens') await setLensLabel(acting, { lensId: ownerId, ...order }, findEvidence);
  else await setWorkflowLabel(acting, { workflowId: ownerId, ...order }, findEvidence);
}

/** Leaves the label where it is. */
async function declineMove(ctx: Context, { id, kind, ownerId, accountId, label }: StoredLabelProposal): Promise<void> {
  await freeLabel(ctx, { kind, ownerId, label, proposalId: id });
  const details = { label, proposalId: id, declinedBy: ctx.actor.accountId };
  await recordAudit(ctx, { accountId, action: 'label.declined', target: { kind, id: ownerId }, details });
}

async function toProposal(ctx: Context, stored: StoredLabelProposal, canDecide: boolean): Promise<LabelProposal> {
  const { id, kind, ownerId, label, move, proposedBy, proposedAt, expiresAt, decidedBy, decidedAt, comment } = stored;
  const { versionId, arms, override = false, evidence, reason = null, experimentId: __, ...changes } = move;
  const isLens = kind === 'lens';
  const [of] = await ctx.db.query<{ title: string; now: string | null }[]>(
    `select o.title, l.version_id as now from ${kind === 'lens' ? 'lenses' : 'workflows'} o
       left join ${kind}_labels l on l.${kind}_id = o.id and l.label = $2 where o.id = $1`,
    [ownerId, label],
  );
  const ids = [versionId, ...(of?.now ? [of.now] : [])];
  const names = await (isLens ? listLensVersionNames : listWorkflowVersionNames)(ctx, ids);
  const isExpired = stored.status === 'pending' && expiresAt <= ctx.now();
  return {
    id,
    lensId: isLens ? ownerId : null,
    workflowId: isLens ? null : ownerId,
    title: of?.title ?? null,
    label,
    versionId,
    version: names.get(versionId) ?? '',
    before: of?.now ? (names.get(of.now) ?? null) : null,
    arms,
    ...changes,
    override,
    evidence,
    reason,
    proposedBy,
    canDecide: canDecide && stored.status === 'pending' && !isExpired,
    proposedAt: proposedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    status: isExpired ? 'expired' : stored.status,
    decidedBy,
    decidedAt: decidedAt?.toISOString() ?? null,
    comment,
  };
}
