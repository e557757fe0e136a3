import { type Context, notFound } from '@lensforge/core';
import { isLabelName } from '@lensforge/releases';
import { readableLens } from './access.js';
import { type StoredVersion, readLensVersion } from './version-reads.js';

interface NumberedVersion {
  id: string;
  /** 1 for the first version, without unsaved candidates. */
  number: number;
  labels: string[];
}

const numbered = `
select v.lens_id as "lensId", v.id, row_number() over (partition by v.lens_id order by v.id)::int as number,
       array(select l.label from lens_labels l where l.lens_id = v.lens_id and l.version_id = v.id order by l.label) as labels
  from lens_versions v where v.lens_id = any ($1) and not v.is_candidate order by v.lens_id, v.id`;

/** The versions of lenses, with numbers for programs that count them. Callers check access to the lenses. */
export async function listNumberedVersions(
  { db }: Pick<Context, 'db'>,
  lensIds: readonly string[],
): Promise<Map<string, NumberedVersion[]>> {
  const found = new Map<string, NumberedVersion[]>(lensIds.map((id) => [id, []]));
  const rows = await db.query<(NumberedVersion & { lensId: string })[]>(numbered, [lensIds]);
  for (const { lensId, ...version } of rows) found.get(lensId)?.push(version);
  return found;
}

export interface PromptVersion extends Omit<NumberedVersion, 'id'> {
  title: string;
  tags: string[];
  version: StoredVersion;
}

/** A version of a lens by its number or a label; the one that callers without a version get when neither is given. */
export async function readPromptVersion(
  ctx: Context,
  lensId: string,
  { number, label }: { number: number | undefined; label: string | undefined },
): Promise<PromptVersion> {
  const lens = await readableLens(ctx, lensId);
  const all = (await listNumberedVersions(ctx, [lens.id])).get(lens.id) ?? [];
  const { id } =
    number === undefined
      ? { id: undefined }
      : (all.find((each) => each.number === number) ?? missing(`version ${number}`, lensId));
  if (label !== undefined && label !== 'latest' && !isLabelName(label)) missing(`label ${label}`, lensId);
  const name = id ?? (label === 'latest' ? lens.headVersionId : label);
  const version = await readLensVersion(ctx.db, lens, name);
  const { number: found = 0, labels = [] } = all.find((each) => each.id === version.id) ?? {};
  const isLatest = version.id === lens.headVersionId;
  return {
    title: lens.title,
    tags: lens.tags,
    version,
    number: found,
    labels: isLatest ? [...labels, 'latest'] : labels,
  };
}

function missing(what: string, lensId: string): never {
  throw notFound(`${what} of the lens`, lensId);
}
