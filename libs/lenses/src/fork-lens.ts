import { type Context, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { canChange, readableLens } from './access.js';
import { type CreatedLens, insertNewLens } from './create-lens.js';
import type { LensVisibility } from './lens.entity.js';
import { toTemplateBody } from './messages.js';
import { requireVisibleIncludes, resolveIncludes } from './includes.js';
import { keepTypes } from './param-types.js';
import { ParsedTemplate } from './template.js';
import { versionById } from './version-reads.js';

export interface LensFork {
  sourceLensId: string;
  /** 'Fork of {id}' when absent. */
  title?: string | undefined;
  /** The newest text of the source when absent. */
  templateBody?: string | undefined;
  /** Public when absent; community when a community forks a community lens. */
  visibility?: LensVisibility | undefined;
}

/** Copies a public or community lens into a new lens of the caller. */
export function forkLens(ctx: Context, fork: LensFork): Promise<CreatedLens> {
  return inTransaction(ctx, async (ctx) => {
    const source = await readableLens(ctx, fork.sourceLensId);
    if (source.visibility === 'private') {
      throw badInput('', 'Only a public or community lens can be forked: change its visibility first');
    }
    const head = await versionById(ctx.db, canChange(ctx, source) ? source.headVersionId : source.servedVersionId);
    const given = toTemplateBody(fork);
    const templateBody = given ?? head.templateBody;
    const visibility = fork.visibility ?? (await defaultVisibility(ctx, source));
    const including = { visibility, accountId: ctx.actor.accountId };
    const includes = given === undefined ? head.includes : await resolveIncludes(ctx, given, including);
    await requireVisibleIncludes(ctx, includes, including);
    return insertNewLens(ctx, {
      title: fork.title ?? `Fork of ${source.id}`,
      description: source.description,
      templateBody,
      settings: keepTypes(head.settings, new ParsedTemplate(templateBody, includes)),
      includes,
      visibility,
      tags: source.tags,
      parentLensId: source.id,
    });
  });
}

/** The default visibility: a community that forks a community lens does not make it public. */
async function defaultVisibility(
  { db, actor }: Context,
  { visibility }: { visibility: LensVisibility },
): Promise<LensVisibility> {
  if (visibility !== 'community') return 'public';
  const communities = await db.query<unknown[]>(`select from accounts where id = $1 and kind = 'community'`, [
    actor.accountId,
  ]);
  return communities.length > 0 ? 'community' : 'public';
}
