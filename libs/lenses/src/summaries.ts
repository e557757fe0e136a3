import type { EntityManager } from 'typeorm';
import { preparedStatement } from '@lensforge/database';
import type { LensSummary } from './shapes.js';

const byIds = preparedStatement(`
select l.id, l.title, l.description, l.visibility, l.status,
       jsonb_build_object('id', a.id, 'handle', a.handle, 'displayName', a.display_name) as author,
       jsonb_build_object('id', v.id, 'semver', v.semver) as "headVersion", v.params, l.tags,
       iso(l.created_at) as "createdAt", iso(l.updated_at) as "updatedAt"
  from unnest($1::uuid[]) with ordinality as asked (id, place)
  join lenses l on l.id = asked.id
  join lens_versions v on v.id = coalesce(l.served_version_id, l.head_version_id)
  join accounts a on a.id = l.account_id
 order by place`);

/** The summaries of lenses, in the order of the ids. */
export async function readSummaries(db: EntityManager, ids: readonly string[]): Promise<LensSummary[]> {
  return ids.length === 0 ? [] : db.query<LensSummary[]>(byIds, [ids]);
}
