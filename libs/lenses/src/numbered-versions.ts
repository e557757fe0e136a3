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
select v.id, row_number() over (order by v.id)::int as number,
       array(select l.label from lens_labels l where l.lens_id = v.lens_id and l.version_id = v.id order by l.label) as labels
  from lens_versions v where v.lens_id = $1 and not v.is_candidate order by v.id`;

/** The versions of a lens that the caller may see, with numbers for programs that count them. */
export async function listNumberedVersions(ctx: Context, lensId: string): Promise<NumberedVersion[]> {
  const { id } = await readableLens(ctx, lensId);
  return ctx.db.query<NumberedVersion[]>(numbered, [id]);
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
  const all = await listNumberedVersions(ctx, lensId);
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
