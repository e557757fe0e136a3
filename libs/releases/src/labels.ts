import {
  type Context,
  DomainError,
  type Page,
  type PageRequest,
  badInput,
  cursorOfRow,
  decodeCursor,
  newId,
  notFound,
  toPage,
} from '@lensforge/core';
import { recordAudit } from '@lensforge/audit';
import type { LabelArm, LabelBounds, LabelEvidence, LabelGate, LabelReturned, LabelRules } from '@lensforge/contracts';
import { publishEvent } from '@lensforge/database';
import { IsNull, Not, Or } from 'typeorm';
import { areSameArms, requireValidArms } from './arms.js';
import { type Label, LensLabel, WorkflowLabel } from './label.entity.js';
import { LensLabelMove, type MoveKind, type StoredLabelMove, WorkflowLabelMove } from './label-move.entity.js';
import { requireValidLabel } from './label-name.js';
import { requirePerson } from './require-person.js';
import { propose, supersede } from './proposals.js';
import { endWatch, startWatch } from './watches.js';

const maxLabels = 100;

export interface LabelMove {
  label: string;
  versionId: string;
  /** Versions that a part of the callers get instead; when absent they stay if the version does. */
  arms?: readonly LabelArm[] | null | undefined;
  /** Only a person who is signed in can move or remove a protected label. Unchanged when absent. */
  protected?: boolean | undefined;
  reason?: string | undefined;
  /** The conditions of its moves; unchanged when absent. */
  rules?: LabelRules | null | undefined;
  /** When it returns by itself; unchanged when absent. */
  bounds?: LabelBounds | null | undefined;
  /** The experiment whose gate the version has passed; the newest that fits when absent. */
  experimentId?: string | undefined;
  /** Moves the label although no gate was passed. */
  override?: boolean | undefined;
  /** The second person, and the proposal that was approved. */
  approval?: { proposalId: string; by: string } | undefined;
}

/** A lens or workflow, and the account that owns it. */
export interface LabelOwner {
  id: string;
  accountId: string;
}

export interface Return {
  label: string;
  reason?: string | null | undefined;
  /** The version that it leaves; the label keeps other arms. */
  from?: string | undefined;
  /** True when a bound was crossed. */
  automatic?: boolean | undefined;
}

/** A version that a label is to point at, and what its rules ask for. */
export interface WantedEvidence {
  kind: 'lens' | 'workflow';
  ownerId: string;
  versionId: string;
  gate: LabelGate;
  experimentId: string | undefined;
}

/** Finds the experiment that allows a move, or the reason why none does. */
export type FindEvidence = (ctx: Context, wanted: WantedEvidence) => Promise<LabelEvidence | { missing: string }>;

export interface LabelPlace {
  label: string;
  versionId: string;
  arms: LabelArm[] | null;
  protected: boolean;
  rules: LabelRules | null;
  bounds: LabelBounds | null;
  returned: LabelReturned | null;
  proposalId: string | null;
  updatedAt: string;
}

export interface StoredMove<V> {
  id: string;
  label: string;
  version: V | null;
  before: V | null;
  arms: LabelArm[] | null;
  armsBefore: LabelArm[] | null;
  kind: MoveKind;
  reason: string | null;
  evidence: LabelEvidence | null;
  overridden: boolean;
  approvedBy: string | null;
  credential: string;
  movedAt: string;
}

/** The entities of one kind, and the column that numbers its versions. */
const kinds = {
  lens: { entity: LensLabel, moves: LensLabelMove, number: 'semver' },
  workflow: { entity: WorkflowLabel, moves: WorkflowLabelMove, number: 'number' },
} as const;

/**
 * The labels of lenses, or those of workflows. Callers check access, and hold the lock of the lens or workflow while a label
 * moves.
 */
export class Labels<V> {
  constructor(private readonly kind: keyof typeof kinds) {}

  read({ db }: Pick<Context, 'db'>, ownerId: string, label: string): Promise<LensLabel | WorkflowLabel | null> {
    return db.findOneBy(kinds[this.kind].entity, { ownerId, label });
  }

  /**
   * Points a label at a version of the same lens or workflow. With a rule about a second person it stores a proposal, or carries
   * out the approved one.
   */
  async set(ctx: Context, owner: LabelOwner, move: LabelMove, find?: FindEvidence): Promise<LabelPlace> {
    requireValidLabel(move.label);
    if (move.rules && !move.rules.gate && !move.rules.secondPerson)
      throw badInput('rules', 'need gate or secondPerson');
    const before = await this.read(ctx, owner.id, move.label);
    const arms = armsOf(move, before);
    const wanted = { ...move, arms };
    const allowed = await this.requireAllowed(ctx, owner.id, { move: wanted, before, find });
    const { approval } = move;
    if (approval && before?.proposalId !== approval.proposalId)
      throw new DomainError('CONFLICT', `${move.label} was moved or proposed otherwise since this proposal`);
    if (before?.rules?.secondPerson && !approval && hasChanges(wanted, before)) {
      return this.propose(ctx, owner, { before, move: wanted, evidence: allowed.evidence });
    }
    const approvedBy = approval?.by ?? null;
    return this.place(ctx, owner, { ...wanted, ...allowed, approvedBy, kind: 'set' });
  }

  /** Stores a move for a second person; the label stays where it is. */
  private async propose(
    ctx: Context,
    { id: ownerId, accountId }: LabelOwner,
    { before, move, evidence }: { before: Label; move: Move; evidence: LabelEvidence | null },
  ): Promise<LabelPlace> {
    const { label, versionId, arms, reason, experimentId, override, ...changes } = move;
    requireMayChange(ctx, before, move);
    const approvers = before.rules?.secondPerson?.approvers ?? null;
    const proposed = {
      versionId,
      arms,
      ...pickGiven({ protected: changes.protected, rules: changes.rules, bounds: changes.bounds }),
      ...pickGiven({ reason, experimentId, override }),
      evidence,
    };
    const of = { kind: this.kind, ownerId, accountId, label, approvers, move: proposed };
    const proposalId = await propose(ctx, of, before.proposalId);
    await ctx.db.update(kinds[this.kind].entity, { ownerId, label }, { proposalId });
    await recordAudit(ctx, {
      accountId,
      action: 'label.proposed',
      target: { kind: this.kind, id: ownerId },
      details: {
        label,
        proposalId,
        versionId,
        beforeId: before.versionId,
        experimentId: evidence?.experimentId ?? null,
      },
    });
    const { updatedAt, ...place } = before;
    return { ...toPlace(place), proposalId, updatedAt: updatedAt.toISOString() };
  }

  /** The evidence of a move by the rules of the label before it, so that no call both changes the rules and moves. */
  private async requireAllowed(
    ctx: Context,
    ownerId: string,
    { move, before, find }: { move: Move; before: Label | null; find: FindEvidence | undefined },
  ): Promise<Pick<StoredLabelMove, 'evidence' | 'overridden'>> {
    const { label, experimentId, override = false, reason } = move;
    const free = { evidence: null, overridden: false };
    const gate = before?.rules?.gate;
    if (!before || !gate) return free;
    // A version that was an arm needs its evidence again when all callers are to get it.
    const known = [before.versionId, ...versionsOf(before).filter((id) => id !== move.versionId)];
    const [versionId, ...others] = versionsOf(move).filter((id) => !known.includes(id));
    if (versionId === undefined) return free;
    if (override) {
      requirePerson(ctx, label);
      if (reason === undefined) throw badInput('reason', 'is required with override');
      return { ...free, overridden: true };
    }
    if (others.length > 0) throw badInput('arms', `of ${label} can get one new version at a time, as it has rules`);
    const wanted = { kind: this.kind, ownerId, versionId, gate, experimentId };
    const found = find ? await find(ctx, wanted) : { missing: 'experiments are not looked for here' };
    if ('missing' in found) throw new DomainError('CONFLICT', `${label} needs a passed gate: ${found.missing}`);
    return { evidence: found, overridden: false };
  }

  /**
   * Takes the arms of a label away; without any, points it at the version that it had before its version of now. `from` leaves
   * one version only, and refuses when the label no longer has it.
   */
  async return(
    ctx: Context,
    owner: LabelOwner,
    { label, reason = null, from, automatic = false }: Return,
  ): Promise<LabelPlace> {
    const place = await this.require(ctx, owner.id, label);
    const leaving = (place.arms ?? [place]).flatMap(({ versionId }) =>
      (from ?? versionId) === versionId ? versionId : [],
    );
    const [fromId] = leaving;
    if (fromId === undefined) throw new DomainError('CONFLICT', `${label} has another version by now`);
    const arms = (place.arms ?? []).filter((arm) => !leaving.includes(arm.versionId));
    const versionId = place.arms ? place.versionId : await this.versionBefore(ctx, owner.id, place);
    if (!versionId) {
      throw new DomainError('CONFLICT', `${label} had no version before this one, so that there is none to return to`);
    }
    const names = await this.namesOf(ctx, [fromId, versionId]);
    const [fromName, toName] = [fromId, versionId].map((id) => names.get(id) ?? '');
    const returned = { versionId: fromId, version: fromName ?? '', at: ctx.now().toISOString(), automatic, reason };
    const isLens = this.kind === 'lens';
    await publishEvent(ctx, owner.accountId, 'label.returned', {
      lensId: isLens ? owner.id : null,
      workflowId: isLens ? null : owner.id,
      label,
      from: returned.version,
      to: toName ?? '',
      automatic,
      reason,
    });
    const move = { label, versionId, arms: arms.length > 0 ? arms : null, reason, returned };
    return this.place(ctx, owner, { ...move, kind: 'return' });
  }

  private async namesOf({ db }: Context, ids: readonly string[]): Promise<Map<string, string>> {
    const { number } = kinds[this.kind];
    const rows = await db.query<{ id: string; name: string }[]>(
      `select id, ${number}::text as name from ${this.kind}_versions where id = any ($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The version of a label before it was set to its version of now. */
  private async versionBefore(
    { db }: Context,
    ownerId: string,
    { label, versionId }: Pick<Label, 'label' | 'versionId'>,
  ): Promise<string | null | undefined> {
    const move = await db.findOne(kinds[this.kind].moves, {
      where: { ownerId, label, versionId, beforeId: Or(Not(versionId), IsNull()), kind: 'set' },
      order: { id: 'desc' },
    });
    return move?.beforeId;
  }

  async remove(ctx: Context, owner: LabelOwner, label: string): Promise<void> {
    const { id: ownerId } = owner;
    const before = await this.require(ctx, ownerId, label);
    requireMayLeave(ctx, before);
    await ctx.db.delete(kinds[this.kind].entity, { ownerId, label });
    if (before.bounds) await endWatch(ctx, { kind: this.kind, ownerId, label });
    await this.record(ctx, owner.accountId, {
      ownerId,
      label,
      versionId: null,
      beforeId: before.versionId,
      arms: null,
      armsBefore: before.arms,
      kind: 'remove',
      reason: null,
      evidence: null,
      overridden: false,
      approvedBy: null,
    });
  }

  /** The moves of the labels, the newest first. */
  async listMoves({ db }: Context, ownerId: string, page: PageRequest): Promise<Page<StoredMove<V>>> {
    const { kind } = this;
    const { number } = kinds[kind];
    const after = page.cursor === undefined ? null : decodeCursor(page.cursor).id;
    const versionOf = (alias: string): string =>
      `case when ${alias}.id is not null then jsonb_build_object('id', ${alias}.id, '${number}', ${alias}.${number}) end`;
    const rows = await db.query<StoredMove<V>[]>(
      `select m.id, m.label, m.arms, m.arms_before as "armsBefore", m.kind, m.reason, m.evidence, m.overridden, m.approved_by as "approvedBy", m.credential_kind as credential, iso(m.moved_at) as "movedAt",
              ${versionOf('v')} as version, ${versionOf('b')} as before
         from ${kind}_label_moves m
         left join ${kind}_versions v on v.id = m.version_id
         left join ${kind}_versions b on b.id = m.before_id
        where m.${kind}_id = $1 and ($2::uuid is null or m.id < $2)
        order by m.id desc limit $3 offset $4`,
      [ownerId, after, page.limit + 1, page.offset ?? 0],
    );
    return toPage(rows, page, ({ id, movedAt: createdAt }) => cursorOfRow({ id, createdAt }));
  }

  private async require(ctx: Context, ownerId: string, label: string): Promise<LensLabel | WorkflowLabel> {
    const found = await this.read(ctx, ownerId, label);
    if (!found) throw notFound(`label of this ${this.kind}`, label);
    return found;
  }

  private async place(
    ctx: Context,
    { id: ownerId, accountId }: LabelOwner,
    { label, versionId, arms, kind, reason = null, evidence = null, overridden = false, ...move }: Placed,
  ): Promise<LabelPlace> {
    const { entity } = kinds[this.kind];
    const updatedAt = ctx.now();
    const before = await this.read(ctx, ownerId, label);
    const isProtected = move.protected ?? before?.protected ?? false;
    const rules = kept(move.rules, before?.rules);
    const bounds = kept(move.bounds, before?.bounds);
    const changesBounds = !isSame(bounds, before?.bounds);
    requireMayChange(ctx, before, { label, ...move });
    const others = await ctx.db.countBy(entity, { ownerId, label: Not(label) });
    if (others >= maxLabels)
      throw badInput('label', `a ${this.kind} has at most ${maxLabels} labels; remove one first`);
    const beforeId = before?.versionId ?? null;
    const armsBefore = before?.arms ?? null;
    const isMoved = beforeId !== versionId || !areSameArms(arms, armsBefore);
    const returned = move.returned ?? (isMoved ? null : (before?.returned ?? null));
    const isDecided = isMoved || Boolean(move.approvedBy);
    if (before?.proposalId && isMoved && !move.approvedBy) await supersede(ctx, before.proposalId);
    const proposalId = isDecided ? null : (before?.proposalId ?? null);
    const place = { label, versionId, arms, protected: isProtected, rules, bounds, returned, proposalId };
    await ctx.db.upsert(entity, { ownerId, ...place, updatedAt }, ['ownerId', 'label']);
    if (isMoved) {
      const versions = { versionId, beforeId, arms, armsBefore };
      const { approvedBy = null } = move;
      await this.record(ctx, accountId, {
        ownerId,
        label,
        ...versions,
        kind,
        reason,
        evidence,
        overridden,
        approvedBy,
      });
    }
    if ((isMoved || changesBounds) && (bounds ?? before?.bounds)) {
      const watched = { kind: this.kind, ownerId, accountId, label, versionId, arms, bounds };
      await endWatch(ctx, watched, move.returned?.automatic ? move.returned : null);
      const toId = arms || kind === 'return' ? null : await this.versionBefore(ctx, ownerId, place);
      await startWatch(ctx, watched, toId ?? null);
    }
    return { ...place, updatedAt: updatedAt.toISOString() };
  }

  private async record(
    ctx: Context,
    accountId: string,
    move: Omit<LensLabelMove, 'id' | 'credentialKind' | 'movedAt'>,
  ): Promise<void> {
    const { kind: credentialKind } = ctx.actor.credential;
    await ctx.db.insert(kinds[this.kind].moves, { id: newId(), ...move, credentialKind, movedAt: ctx.now() });
    const { label, versionId, beforeId, arms, evidence, overridden, approvedBy } = move;
    await recordAudit(ctx, {
      accountId,
      action: 'label.moved',
      target: { kind: this.kind, id: move.ownerId },
      details: {
        label,
        move: move.kind,
        versionId,
        beforeId,
        ...(arms && { arms: arms.map(({ version, weight }) => `${version} ${weight} %`).join(', ') }),
        experimentId: evidence?.experimentId ?? null,
        overridden,
        ...(approvedBy !== null && { approvedBy }),
      },
    });
  }
}

/** Refuses credentials of programs for protected labels, and for what guards a label. */
function requireMayChange(
  ctx: Context,
  before: Label | null,
  move: Pick<LabelMove, 'label' | 'protected' | 'rules' | 'bounds'>,
): void {
  const changesBounds = move.bounds !== undefined && !isSame(move.bounds, before?.bounds);
  const changesRules = move.rules !== undefined && !isSame(move.rules, before?.rules);
  const changesGuard = changesRules || (changesBounds && before !== null && isGuarded(before));
  if (move.protected || before?.protected || changesGuard) requirePerson(ctx, move.label);
}

/** Refuses to take a guarded label away from callers: its removal, or another default. */
export function requireMayLeave(ctx: Context, label: Pick<Label, 'label' | 'protected' | 'rules'>): void {
  if (isGuarded(label)) requirePerson(ctx, label.label);
  if (!label.rules?.secondPerson) return;
  throw new DomainError('CONFLICT', `${label.label} needs a second person: propose to remove that rule first`);
}

const hasChanges = (move: Move, before: Label): boolean =>
  move.versionId !== before.versionId ||
  !areSameArms(move.arms, before.arms) ||
  (move.protected !== undefined && move.protected !== before.protected) ||
  (move.rules !== undefined && !isSame(move.rules, before.rules)) ||
  (move.bounds !== undefined && !isSame(move.bounds, before.bounds));

/** The members that a request has. */
const pickGiven = <T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;

const toPlace = ({
  label,
  versionId,
  arms,
  rules,
  bounds,
  returned,
  proposalId,
  ...rest
}: Omit<Label, 'ownerId' | 'updatedAt'>) => ({
  label,
  versionId,
  arms,
  protected: rest.protected,
  rules,
  bounds,
  returned,
  proposalId,
});

/** The value of a request, or the one before when it is absent. */
const kept = <T>(given: T | null | undefined, before: T | null | undefined): T | null =>
  given === undefined ? (before ?? null) : given;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** A move with the arms that the label is to have. */
type Move = LabelMove & { arms: LabelArm[] | null };

function armsOf({ versionId, arms }: LabelMove, before: Label | null): LabelArm[] | null {
  if (arms === undefined) return before?.versionId === versionId ? before.arms : null;
  if (arms === null || arms.length === 0) return null;
  requireValidArms(versionId, arms);
  return [...arms];
}

/** The versions that callers of a label get. */
const versionsOf = ({ versionId, arms }: Pick<Label, 'versionId' | 'arms'>): string[] => [
  versionId,
  ...(arms ?? []).map((arm) => arm.versionId),
];

type Placed = Omit<Move, 'reason'> &
  Partial<Pick<StoredLabelMove, 'evidence' | 'overridden'>> & {
    kind: MoveKind;
    reason?: string | null | undefined;
    returned?: LabelReturned;
    approvedBy?: string | null;
  };

/** True for labels that only a person removes, or takes from callers as the default. */
export const isGuarded = (label: Pick<Label, 'protected' | 'rules'>): boolean =>
  label.protected || label.rules !== null;
