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
import { Not } from 'typeorm';
import { LensLabel, WorkflowLabel } from './label.entity.js';
import { LensLabelMove, type MoveKind, WorkflowLabelMove } from './label-move.entity.js';
import { requireValidLabel } from './label-name.js';
import { requirePerson } from './require-person.js';

const maxLabels = 100;

export interface LabelMove {
  label: string;
  versionId: string;
  /** Only a person who is signed in can move or remove a protected label. Unchanged when absent. */
  protected?: boolean | undefined;
  reason?: string | undefined;
}

export interface LabelPlace {
  label: string;
  versionId: string;
  protected: boolean;
  updatedAt: string;
}

export interface StoredMove<V> {
  id: string;
  label: string;
  version: V | null;
  before: V | null;
  kind: MoveKind;
  reason: string | null;
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

  /** Points a label at a version of the same lens or workflow. */
  async set(ctx: Context, ownerId: string, move: LabelMove): Promise<LabelPlace> {
    requireValidLabel(move.label);
    return this.place(ctx, ownerId, { ...move, kind: 'set' });
  }

  /** Points a label at the version that it had before it was set to its version of now. */
  async return(
    ctx: Context,
    ownerId: string,
    { label, reason }: Pick<LabelMove, 'label' | 'reason'>,
  ): Promise<LabelPlace> {
    const place = await this.require(ctx, ownerId, label);
    const move = await ctx.db.findOne(kinds[this.kind].moves, {
      where: { ownerId, label, versionId: place.versionId, kind: 'set' },
      order: { id: 'desc' },
    });
    const versionId = move?.beforeId;
    if (!versionId) {
      throw new DomainError('CONFLICT', `${label} had no version before this one, so that there is none to return to`);
    }
    return this.place(ctx, ownerId, { label, versionId, reason, kind: 'return' });
  }

  async remove(ctx: Context, ownerId: string, label: string): Promise<void> {
    const before = await this.require(ctx, ownerId, label);
    if (before.protected) requirePerson(ctx, label);
    await ctx.db.delete(kinds[this.kind].entity, { ownerId, label });
    await this.record(ctx, {
      ownerId,
      label,
      versionId: null,
      beforeId: before.versionId,
      kind: 'remove',
      reason: null,
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
      `select m.id, m.label, m.kind, m.reason, m.credential_kind as credential, iso(m.moved_at) as "movedAt",
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
    ownerId: string,
    {
      label,
      versionId,
      reason = null,
      kind,
      ...move
    }: Omit<LabelMove, 'reason'> & { kind: MoveKind; reason?: string | null | undefined },
  ): Promise<LabelPlace> {
    const { entity } = kinds[this.kind];
    const updatedAt = ctx.now();
    const before = await this.read(ctx, ownerId, label);
    const isProtected = move.protected ?? before?.protected ?? false;
    if (isProtected || before?.protected) requirePerson(ctx, label);
    const others = await ctx.db.countBy(entity, { ownerId, label: Not(label) });
    if (others >= maxLabels)
      throw badInput('label', `a ${this.kind} has at most ${maxLabels} labels; remove one first`);
    await ctx.db.upsert(entity, { ownerId, label, versionId, protected: isProtected, updatedAt }, ['ownerId', 'label']);
    const beforeId = before?.versionId ?? null;
    if (beforeId !== versionId) await this.record(ctx, { ownerId, label, versionId, beforeId, kind, reason });
    return { label, versionId, protected: isProtected, updatedAt: updatedAt.toISOString() };
  }

  private async record(ctx: Context, move: Omit<LensLabelMove, 'id' | 'credentialKind' | 'movedAt'>): Promise<void> {
    const { kind: credentialKind } = ctx.actor.credential;
    await ctx.db.insert(kinds[this.kind].moves, { id: newId(), ...move, credentialKind, movedAt: ctx.now() });
  }
}
