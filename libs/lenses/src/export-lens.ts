import { type Context, badInput } from '@lensforge/core';
import { type LensSettings, maxLensFile } from '@lensforge/contracts';
import { readInParts } from '@lensforge/database';
import { readableLens } from './access.js';
import type { ExportedInclude } from './includes.js';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import type { ParamRequest } from './contract.js';

export interface ExportedVersion {
  semver: string;
  templateBody: string;
  params: ParamRequest[];
  settings?: LensSettings | null | undefined;
  includes?: ExportedInclude[] | null | undefined;
  changelog: string;
  createdAt: string;
}

/** A lens with all its versions, oldest first. It holds no ids, so any installation can import it. */
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
  defaultLabel?: string | null | undefined;
}

export const maxVersions = 1000;
/** Bytes of the versions as JSON; the rest of the import limit is for the other members. */
const maxExportBytes = maxLensFile.bytes - 300_000;
const maxParams = 45_000;

/** A document whose versions are read on demand, each as JSON. */
export interface LensExport {
  document: Omit<LensDocument, 'versions'>;
  versions: AsyncIterable<string>;
}

interface SizedVersion {
  key: string;
  params: number;
  size: number;
}

const sizes = `
select id as key, jsonb_array_length(params) as params,
       octet_length(to_json(template_body)::text) + octet_length(to_json(changelog)::text) + octet_length(params::text) +
       coalesce(octet_length(settings::text), 0) + coalesce(octet_length(includes::text), 0) + 300 as size
  from lens_versions where lens_id = $1 and not is_candidate order by id`;

const versionsBetween = `
select json_build_object('semver', semver, 'templateBody', template_body, 'settings', settings, 'changelog', changelog,
         'includes', (select jsonb_agg(i - 'lensId' - 'versionId' order by n) from jsonb_array_elements(includes) with ordinality e (i, n)),
         'createdAt', iso(created_at), 'params', coalesce((select jsonb_agg(p - 'id' order by n)
                               from jsonb_array_elements(params) with ordinality e (p, n)), '[]'))::text as version
  from lens_versions where lens_id = $1 and not is_candidate and id between $2 and $3 order by id`;

/** Exports a lens that the caller may see. */
export async function exportLens(ctx: Context, lensId: string): Promise<LensExport> {
  const { id, title, description, visibility, status, tags, defaultLabel } = await readableLens(ctx, lensId);
  const rows = await ctx.db.query<SizedVersion[]>(sizes, [id]);
  const sum = (member: 'params' | 'size'): number => rows.reduce((total, row) => total + row[member], 0);
  if (rows.length > maxVersions || sum('params') > maxParams || sum('size') > maxExportBytes) {
    throw badInput(
      '',
      `This lens has ${rows.length} versions with ${sum('params')} parameters and ${sum('size')} bytes in all: an export holds ${maxVersions} with ${maxParams} and ${maxExportBytes} at most; read the versions one by one`,
    );
  }
  const labels = await ctx.db.query<{ label: string; semver: string }[]>(
    `select label, semver from lens_labels l join lens_versions v on v.id = l.version_id where l.lens_id = $1 order by label`,
    [id],
  );
  return {
    document: {
      format: 'lensforge.lens',
      formatVersion: 1,
      title,
      description,
      visibility,
      status,
      tags,
      labels,
      defaultLabel,
    },
    versions: readInParts(rows, async (first, last) => {
      const found = await ctx.db.query<{ version: string }[]>(versionsBetween, [id, first, last]);
      return found.map(({ version }) => version);
    }),
  };
}
