import type { Context } from '@lensforge/core';

/** A move of a label of a lens that waits for a second person. */
export async function aProposal({ db }: Pick<Context, 'db'>, lensId: string): Promise<string> {
  const [made] = await db.query<{ id: string }[]>(
    `insert into label_proposals (id, kind, owner_id, account_id, label, move, proposed_by, proposed_at, expires_at, status)
     select uuidv7(), 'lens', id, account_id, 'production',
            json_build_object('versionId', head_version_id, 'arms', null, 'evidence', null),
            account_id, now(), now() + interval '1 day', 'pending'
       from lenses where id = $1
     returning id`,
    [lensId],
  );
  return made?.id ?? '';
}
