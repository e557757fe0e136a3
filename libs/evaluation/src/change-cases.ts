import { type DatasetCaseInput, type DatasetChange, maxCaseLength, maxCasesOfDataset } from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { isDeepStrictEqual } from 'node:util';
import { writableDataset } from './access.js';
import { type CaseContent, toContent } from './case-content.js';
import { readAssertions } from './checks/read-assertions.js';

export interface CasesChange {
  datasetId: string;
  save?: readonly DatasetCaseInput[] | undefined;
  remove?: readonly string[] | undefined;
  /** True when only the saved cases remain. */
  replace?: boolean | undefined;
  baseRevision?: number | undefined;
  message?: string | undefined;
}

/** Adds, changes and removes cases as one new revision; a change that changes nothing makes none. */
export async function changeCases(ctx: Context, change: CasesChange): Promise<DatasetChange> {
  const saved = readSaved(change);
  return inTransaction(ctx, async (ctx) => {
    const { datasetId, replace = false, remove = [], baseRevision, message = null } = change;
    const { id, revision, cases: before } = await writableDataset(ctx, datasetId);
    if (baseRevision !== undefined && baseRevision !== revision) {
      throw new DomainError(
        'CONFLICT',
        `The dataset is at revision ${revision}: read it, and make the change from there`,
      );
    }
    const known = await readNewest(ctx, id, replace ? null : [...saved.keys(), ...remove]);
    const removed = replace
      ? [...known.keys()].filter((key) => !saved.has(key))
      : remove.filter((key) => known.has(key));
    const written = [...saved].filter(([key, content]) => !isDeepStrictEqual(known.get(key), content));
    const changed = written.filter(([key]) => known.has(key)).map(([key]) => key);
    const added = written.length - changed.length;
    const cases = before + added - removed.length;
    const counts = { added, changed: changed.length, removed: removed.length, cases };
    if (written.length + removed.length === 0) return { revision, ...counts };
    if (cases > maxCasesOfDataset) {
      throw badInput('save', `the dataset would have ${cases} cases, and it may have ${maxCasesOfDataset}`);
    }
    const next = revision + 1;
    await ctx.db.query(
      'update dataset_cases set until = $2 where dataset_id = $1 and until is null and key = any ($3)',
      [id, next, [...changed, ...removed]],
    );
    await ctx.db.query(
      `insert into dataset_cases (dataset_id, key, since, params, expected, metadata, tags, assertions)
       select $1, key, $2, params, nullif(expected, 'null'), nullif(metadata, 'null'), tags, nullif(assertions, '[]')
         from jsonb_to_recordset($3::jsonb) as x(
              key text, params jsonb, expected jsonb, metadata jsonb, tags text[], assertions jsonb)`,
      [id, next, toJsonb(written.map(([key, content]) => ({ key, ...content })))],
    );
    await ctx.db.query(
      `with stored as (
         insert into dataset_revisions (dataset_id, revision, added, changed, removed, cases, message, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
       )
       update datasets set revision = $2, cases = $6, updated_at = $8 where id = $1`,
      [id, next, added, counts.changed, counts.removed, cases, message, ctx.now()],
    );
    return { revision: next, ...counts };
  });
}

/** The saved cases by their keys. */
function readSaved({ save = [], remove = [] }: CasesChange): Map<string, CaseContent> {
  const saved = new Map<string, CaseContent>();
  for (const [index, { key, ...given }] of save.entries()) {
    if (saved.has(key)) throw badInput(`save.${index}.key`, `there are two cases ${key}`);
    readAssertions(given.assertions ?? [], `save.${index}.assertions`);
    const content = toContent(given);
    const { length } = JSON.stringify(content);
    if (length > maxCaseLength) {
      throw badInput(`save.${index}`, `has ${length} characters as JSON, and a case may have ${maxCaseLength}`);
    }
    saved.set(key, content);
  }
  const both = remove.findIndex((key) => saved.has(key));
  if (both >= 0) throw badInput(`remove.${both}`, 'is saved in the same request');
  return saved;
}

/** The cases of the newest revision: those with these keys, or all of them. */
async function readNewest(
  { db }: Context,
  datasetId: string,
  keys: readonly string[] | null,
): Promise<Map<string, CaseContent>> {
  const rows = await db.query<({ key: string } & CaseContent)[]>(
    `select key, params, expected, metadata, tags, coalesce(assertions, '[]') as assertions from dataset_cases
      where dataset_id = $1 and until is null and ($2::text[] is null or key = any ($2))`,
    [datasetId, keys],
  );
  return new Map(rows.map(({ key, ...content }) => [key, content]));
}
