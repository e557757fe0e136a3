import type { CaseDifference, DatasetCase } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, badInput, decodeKey, encodeKey, toPage } from '@lensforge/core';
import { isIn, pickRevision, readableDataset } from './access.js';

const columns = `key, params, expected, metadata, tags, coalesce(assertions, '[]') as assertions, since`;

const keyBefore = ({ cursor }: PageRequest): string | null => (cursor === undefined ? null : decodeKey(cursor));
const keyOf = ({ key }: { key: string }): string => encodeKey(key);

export interface CaseFilter {
  datasetId: string;
  revision?: number | undefined;
  tag?: string | undefined;
  q?: string | undefined;
}

/** Lists the cases of a revision by their keys. */
export async function listCases(
  ctx: Context,
  { datasetId, revision, tag, q }: CaseFilter,
  page: PageRequest,
): Promise<Page<DatasetCase>> {
  const dataset = await readableDataset(ctx, datasetId);
  const rows = await ctx.db.query<DatasetCase[]>(
    `select ${columns} from dataset_cases c
      where dataset_id = $1 and ${isIn('c', '$2')} and ($3::text is null or key > $3)
        and ($4::text is null or $4 = any (tags)) and ($5::text is null or position(lower($5) in lower(key)) > 0)
      order by key limit $6 offset $7`,
    [
      dataset.id,
      pickRevision(dataset, revision),
      keyBefore(page),
      tag ?? null,
      q ?? null,
      page.limit + 1,
      page.offset ?? 0,
    ],
  );
  return toPage(rows, page, keyOf);
}

/** All cases of a revision, read in parts. */
export async function* everyCase(ctx: Context, filter: CaseFilter): AsyncGenerator<DatasetCase> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await listCases(ctx, filter, { limit: 500, cursor });
    yield* items;
    cursor = nextCursor;
  } while (cursor !== undefined);
}

interface Changed {
  key: string;
  before: DatasetCase | null;
  after: DatasetCase | null;
}

/** Lists the cases that differ between two revisions, by their keys. */
export async function diffRevisions(
  ctx: Context,
  { datasetId, from, to }: { datasetId: string; from?: number | undefined; to?: number | undefined },
  page: PageRequest,
): Promise<Page<CaseDifference>> {
  const dataset = await readableDataset(ctx, datasetId);
  const later = pickRevision(dataset, to);
  const earlier = pickRevision(dataset, from ?? Math.max(later - 1, 0));
  if (later < earlier) throw badInput('to', 'must not be before from');
  const side = (revision: string): string =>
    `select ${columns} from dataset_cases c where dataset_id = $1 and ${isIn('c', revision)} and ($4::text is null or key > $4)`;
  const toJson = (name: string): string => `case when ${name}.key is not null then to_jsonb(${name}) end`;
  const rows = await ctx.db.query<Changed[]>(
    `select coalesce(o.key, n.key) as key, ${toJson('o')} as before, ${toJson('n')} as after
       from (${side('$2')} and (until is not null and until <= $3)) o
       full join (${side('$3')} and since > $2) n on n.key = o.key
      where (o.params, o.expected, o.metadata, o.tags, o.assertions)
            is distinct from (n.params, n.expected, n.metadata, n.tags, n.assertions)
      order by coalesce(o.key, n.key) limit $5 offset $6`,
    [dataset.id, earlier, later, keyBefore(page), page.limit + 1, page.offset ?? 0],
  );
  return toPage(rows.map(toDifference), page, keyOf);
}

const toDifference = ({ key, before, after }: Changed): CaseDifference => ({
  key,
  change: before === null ? 'added' : after === null ? 'removed' : 'changed',
  before,
  after,
});
