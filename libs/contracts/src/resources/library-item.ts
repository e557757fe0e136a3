import { dateTime, nested, text, uuid } from '../schema/field.js';

export class AuthorRef {
  @uuid()
  id!: string;

  @text()
  handle!: string;

  @text()
  displayName!: string;
}

/** The members that lenses and workflows have in lists. */
export class LibraryItem {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @text()
  description!: string;

  @nested(() => AuthorRef)
  author!: AuthorRef;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}
