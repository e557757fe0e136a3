import { dateTime, text, uuid } from '@lensforge/contracts';

interface Listed {
  author: { id: string; handle: string };
  headVersion: { id: string };
}

/** The members that lenses and workflows have in lists. */
export class LibraryItemResult {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @text()
  description!: string;

  @uuid({ description: 'The owner.' })
  lenser_id!: string;

  @text({ description: 'The handle of the owner.' })
  lenser_handle!: string;

  @uuid()
  head_version_id!: string;

  @dateTime()
  created_at!: string;

  @dateTime()
  updated_at!: string;
}

/** The members of an item that have another name than those of the domain. */
export const renamedMembers = ({ author, headVersion }: Listed) => ({
  lenser_id: author.id,
  lenser_handle: author.handle,
  head_version_id: headVersion.id,
});
