import type { BattleStatus, BattleSummary, BattleType } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';

/** Conditions on battles; a list merges the scans of an index for each. */
export interface BattleScan {
  status?: readonly BattleStatus[] | undefined;
  battleType?: BattleType | undefined;
  creatorId?: string | undefined;
  /** A contender, or the owner of one. */
  participantId?: string | undefined;
  /** Published battles, and those that this account created or takes part in. */
  visibleTo?: string | undefined;
}

const columns = `
  b.id, b.title, b.battle_type as "battleType", b.judging_mode as "judgingMode", b.status,
  b.max_contenders as "maxContenders", b.creator_account_id as "creatorId",
  (select count(*)::int from battle_contenders c where c.battle_id = b.id) as "contenderCount",
  iso(b.created_at) as "createdAt", iso(b.closed_at) as "closedAt"`;

/** A page of the battles that any of the scans finds, newest first. No scan reads beyond the last row of the page. */
export async function readScans(
  ctx: Context,
  scans: readonly BattleScan[],
  page: PageRequest,
): Promise<Page<BattleSummary>> {
  if (scans.length === 0) return toPage<BattleSummary>([], page, cursorOfRow);
  const { limit, offset = 0, cursor } = page;
  const before = cursor === undefined ? undefined : decodeCursor(cursor).id;
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const queries = scans.flatMap((scan) => buildQueries(scan, bind, before));
  const most = bind(offset + limit + 1);
  const limited = queries.map(({ sql, id }) => `(${sql} order by ${id} desc limit ${most}::bigint)`);
  const rows = await ctx.db.query<BattleSummary[]>(
    `with page as (select id from (${limited.join(' union ')}) found
                    order by id desc limit ${bind(limit + 1)}::bigint offset ${bind(offset)}::bigint)
     select ${columns} from page join battles b on b.id = page.id order by b.id desc`,
    parameters,
  );
  return toPage(rows, page, cursorOfRow);
}

const maxCounted = 10_000;

/** The number of battles that any of the scans finds, counted up to 10,000. */
export async function countScans(ctx: Context, scans: readonly BattleScan[]): Promise<number> {
  if (scans.length === 0) return 0;
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const limited = scans
    .flatMap((scan) => buildQueries(scan, bind))
    .map(({ sql, id }) => `(${sql} order by ${id} desc limit ${maxCounted})`);
  const [{ count }] = await ctx.db.query<[{ count: number }]>(
    `select least(count(*), ${maxCounted})::int as count from (${limited.join(' union ')}) found`,
    parameters,
  );
  return count;
}

/** The queries of a scan, and the expression of the battle's id in each: two for a participant, otherwise one. */
function buildQueries(
  { status, battleType, creatorId, participantId, visibleTo }: BattleScan,
  bind: (value: unknown) => string,
  before?: string,
): { sql: string; id: string }[] {
  const where = [
    ...(status ? [`b.status ${status.length === 1 ? `= ${bind(status[0])}` : `= any(${bind(status)}::text[])`}`] : []),
    ...(battleType ? [`b.battle_type = ${bind(battleType)}`] : []),
    ...(creatorId === undefined ? [] : [`b.creator_account_id = ${bind(creatorId)}`]),
    ...(visibleTo === undefined ? [] : [visibility(bind(visibleTo))]),
  ];
  const query = (select: string, id: string, conditions: readonly string[]) => {
    const all = [...conditions, ...(before === undefined ? [] : [`${id} < ${bind(before)}`])];
    return { sql: `select ${select}${all.length > 0 ? ` where ${all.join(' and ')}` : ''}`, id };
  };
  if (participantId === undefined) return [query('b.id from battles b', 'b.id', where)];
  const participant = bind(participantId);
  return ['owner_account_id', 'lenser_account_id'].map((column) =>
    query('distinct c.battle_id as id from battle_contenders c join battles b on b.id = c.battle_id', 'c.battle_id', [
      `c.${column} = ${participant}`,
      ...where,
    ]),
  );
}

const visibility = (
  account: string,
): string => `(b.status = 'published' or b.creator_account_id = ${account} or exists (
  select from battle_contenders p where p.battle_id = b.id and ${account} in (p.owner_account_id, p.lenser_account_id)))`;
