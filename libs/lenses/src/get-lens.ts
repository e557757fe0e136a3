import { type Context, notFound } from '@lensforge/core';
import { type LensHead, canChange, canSee } from './access.js';
import { lensesByIds, batchedRead } from './batched-read.js';
import { listNewerIncludes } from './includes.js';
import { readMessages } from './messages.js';
import type { LensDetail } from './shapes.js';
import { listTemplateWarnings } from './template-warnings.js';
import { versionById } from './version-reads.js';

type Row = Omit<LensDetail, 'parentLensId' | 'messages' | 'warnings' | 'servedVersion'> & {
  parent: LensHead | null;
  servedVersionId: string | null;
};

const detail = batchedRead<Row>(`
select l.id, l.title, l.description, l.visibility, l.status,
       jsonb_build_object('id', a.id, 'handle', a.handle, 'displayName', a.display_name) as author,
       jsonb_build_object('id', v.id, 'semver', v.semver) as "headVersion", v.params, l.tags,
       iso(l.created_at) as "createdAt", iso(l.updated_at) as "updatedAt",
       v.template_body as "templateBody", v.settings, v.includes, v.changelog,
       (select jsonb_build_object('id', p.id, 'accountId', p.account_id, 'visibility', p.visibility, 'status', p.status)
          from lenses p where p.id = l.parent_lens_id and p.deleted_at is null) as parent,
       coalesce((select jsonb_agg(jsonb_build_object('label', b.label, 'versionId', w.id, 'semver', w.semver, 'arms', b.arms, 'protected', b.protected, 'rules', b.rules, 'bounds', b.bounds, 'returned', b.returned, 'proposalId', b.proposal_id,
                                                     'updatedAt', iso(b.updated_at)) order by b.label)
                   from lens_labels b join lens_versions w on w.id = b.version_id where b.lens_id = l.id), '[]') as labels,
       l.default_label as "defaultLabel", l.served_version_id as "servedVersionId"
  from ${lensesByIds} l
  join lens_versions v on v.id = l.head_version_id
  join accounts a on a.id = l.account_id
 where l.deleted_at is null`);

/** A lens with its labels and the content of its newest version; for others, of the version that they get. */
export async function getLens(ctx: Context, lensId: string): Promise<LensDetail> {
  const row = await detail(ctx, lensId);
  if (!row || !canSee(ctx, { ...row, accountId: row.author.id })) throw notFound('lens', lensId);
  const { parent, servedVersionId, ...lens } = row;
  const served = servedVersionId === null ? undefined : await versionById(ctx.db, servedVersionId);
  if (served && !canChange(ctx, { accountId: row.author.id })) {
    const { id, semver, templateBody, params, settings, includes, changelog } = served;
    Object.assign(lens, { headVersion: { id, semver }, templateBody, params, settings, includes, changelog });
  }
  const newerIncludes = lens.includes ? await listNewerIncludes(ctx, lens.includes) : [];
  return Object.assign(lens, {
    servedVersion: served ? { id: served.id, semver: served.semver } : lens.headVersion,
    parentLensId: parent && canSee(ctx, parent) ? parent.id : null,
    messages: readMessages(lens.templateBody) ?? null,
    warnings: [...newerIncludes, ...(await listTemplateWarnings(lens.templateBody, lens.includes))],
  });
}
