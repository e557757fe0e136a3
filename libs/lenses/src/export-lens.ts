import type { Context } from '@lensforge/core';
import { badInput } from '@lensforge/core';
import { largestLensFile } from '@lensforge/contracts';
import { readableLens } from './access.js';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import type { ParamWish } from './contract.js';

export interface ExportedVersion {
  semver: string;
  templateBody: string;
  params: ParamWish[];
  changelog: string;
  createdAt: string;
}

/** A lens with all its versions, oldest first, as one document; it holds no ids and means the same anywhere. */
export interface LensDocument {
  format: 'lensforge.lens';
  formatVersion: 1;
  title: string;
  description: string;
  visibility: LensVisibility;
  status: LensStatus;
  tags: string[];
  versions: ExportedVersion[];
  labels: { label: string; semver: string }[];
}

export const mostVersions = 1000;
/** As JSON, with room for what is not a version within what an import takes in. */
const largestExport = largestLensFile.bytes - 300_000;
const mostParams = 45_000;

interface Size {
  versions: number;
  params: number;
  size: number;
}

const sizeOf = `
select count(*)::int as versions, coalesce(sum(jsonb_array_length(params)), 0)::int as params,
       coalesce(sum(octet_length(to_json(template_body)::text) + octet_length(to_json(changelog)::text)
                    + octet_length(params::text) + 300), 0)::float8 as size
  from lens_versions where lens_id = $1`;

export async function exportLens(ctx: Context, lensId: string): Promise<LensDocument> {
  const { id, title, description, visibility, status, tags } = await readableLens(ctx, lensId);
  const [{ versions: count, params: paramCount, size }] = await ctx.db.query<[Size]>(sizeOf, [id]);
  if (count > mostVersions || paramCount > mostParams || size > largestExport) {
    throw badInput(
      '',
      `This lens has ${count} versions with ${paramCount} parameters and ${size} bytes in all: an export holds ${mostVersions} with ${mostParams} and ${largestExport} at most; read the versions one by one`,
    );
  }
  const versions = await ctx.db.query<ExportedVersion[]>(
    `select semver, template_body as "templateBody", changelog, iso(created_at) as "createdAt",
            coalesce((select jsonb_agg(p - 'id' order by n) from jsonb_array_elements(params) with ordinality e (p, n)), '[]') as params
       from lens_versions where lens_id = $1 order by id`,
    [id],
  );
  const labels = await ctx.db.query<{ label: string; semver: string }[]>(
    `select label, semver from lens_labels l join lens_versions v on v.id = l.version_id where l.lens_id = $1 order by label`,
    [id],
  );
  return { format: 'lensforge.lens', formatVersion: 1, title, description, visibility, status, tags, versions, labels };
}
