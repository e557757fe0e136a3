import type { LensCase } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  badInput,
  cursorOfRow,
  decodeCursor,
  newId,
  notFound,
  toPage,
} from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { ownLens, writableLens } from './access.js';

const maxCases = 100;
const maxParamsLength = 100_000;

type LensCaseContent = Pick<LensCase, 'name' | 'params' | 'reference'>;

const columns = `id, name, params, reference, iso(updated_at) as "updatedAt"`;

/** Lists the cases of a lens of the caller, the oldest first. */
export async function listLensCases(ctx: Context, lensId: string, page: PageRequest): Promise<Page<LensCase>> {
  const lens = await ownLens(ctx, lensId);
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor).id;
  const rows = await ctx.db.query<LensCase[]>(
    `select ${columns} from lens_cases where lens_id = $1 and ($2::uuid is null or id > $2)
      order by id limit $3 offset $4`,
    [lens.id, after, page.limit + 1, page.offset ?? 0],
  );
  return toPage(rows, page, ({ id, updatedAt: createdAt }) => cursorOfRow({ id, createdAt }));
}

/** Saves a case of a lens of the caller; a case with this name is replaced. */
export function saveLensCase(ctx: Context, lensId: string, content: LensCaseContent): Promise<LensCase> {
  const { name, reference } = content;
  const params = JSON.stringify(content.params);
  if (params.length > maxParamsLength) {
    throw badInput('params', `must have at most ${maxParamsLength} characters as JSON; these have ${params.length}`);
  }
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const [{ others }] = await ctx.db.query<[{ others: number }]>(
      'select count(*)::int as others from lens_cases where lens_id = $1 and name <> $2',
      [lens.id, name],
    );
    if (others >= maxCases) throw badInput('name', `a lens has at most ${maxCases} cases; remove one first`);
    const [saved] = await ctx.db.query<[LensCase]>(
      `insert into lens_cases (id, lens_id, name, params, reference, updated_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (lens_id, name) do update
          set params = excluded.params, reference = excluded.reference, updated_at = excluded.updated_at
       returning ${columns}`,
      [newId(), lens.id, name, params, reference, ctx.now()],
    );
    return saved;
  });
}

/** Removes a case of a lens of the caller. */
export function removeLensCase(
  ctx: Context,
  { lensId, caseId }: { lensId: string; caseId: string },
): Promise<{ caseId: string; removed: true }> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const [, removed] = await ctx.db.query<[unknown, number]>('delete from lens_cases where lens_id = $1 and id = $2', [
      lens.id,
      caseId,
    ]);
    if (removed === 0) throw notFound('case of this lens', caseId);
    return { caseId, removed: true };
  });
}
