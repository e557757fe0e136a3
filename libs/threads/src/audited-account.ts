import type { ReadableThread } from './access.js';

/** The account whose audit log gets the moderation of a thread: its community, or else the owner of the thread. */
export const auditedAccount = ({ thread, subject }: ReadableThread): string =>
  subject?.type === 'community' ? subject.id : thread.accountId;
