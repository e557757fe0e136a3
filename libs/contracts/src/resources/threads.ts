import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { EventItem } from './event-item.js';
import { AuthorRef } from './library-item.js';

export const threadSubjects = ['lens', 'workflow', 'battle', 'run', 'community'] as const;
export type ThreadSubject = (typeof threadSubjects)[number];

export const threadVisibilities = ['subject', 'private', 'community', 'public'] as const;
export type ThreadVisibility = (typeof threadVisibilities)[number];

export const threadStatuses = ['open', 'closed'] as const;
export type ThreadStatus = (typeof threadStatuses)[number];

export const messageStatuses = ['visible', 'hidden', 'deleted'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export const answerStatuses = ['waiting', 'running', 'answered', 'failed', 'declined'] as const;
export type AnswerStatus = (typeof answerStatuses)[number];

const lenserKinds = ['human', 'ai', 'community'] as const;

/** The largest number of characters of a message. */
export const maxMessageLength = 16_000;

const title = { min: 1, max: 200, pattern: /\S/ } as const;
const messageText = {
  min: 1,
  max: maxMessageLength,
  pattern: /\S/,
  description: 'Markdown, stored as it is sent. Clients render it safely.',
} as const;
const maxVersion = 1_000_000;

export class ThreadPath {
  @uuid({ description: 'The thread.' })
  threadId!: string;
}

export class MessagePath extends ThreadPath {
  @uuid({ description: 'The message.' })
  messageId!: string;
}

export class MutePath extends ThreadPath {
  @uuid({ description: 'The muted account.' })
  accountId!: string;
}

export class ThreadListQuery extends PageQuery {
  @oneOf(threadSubjects, { optional: true, description: 'With subjectId. Threads without a subject when left out.' })
  subjectType?: ThreadSubject;

  @uuid({ optional: true, description: 'With subjectType.' })
  subjectId?: string;

  @oneOf(threadStatuses, { optional: true })
  status?: ThreadStatus;
}

export class NewThreadRequest {
  @text(title)
  title!: string;

  @oneOf(threadSubjects, { optional: true, description: 'The kind of thing that the thread is about.' })
  subjectType?: ThreadSubject;

  @uuid({ optional: true, description: 'The thing that the thread is about; the caller must be able to see it.' })
  subjectId?: string;

  @oneOf(threadVisibilities, {
    optional: true,
    description:
      'subject (as its subject, the default with one), private (the owner; the default without one), community (all accounts) or public. A thread with a subject is never visible to more callers than its subject.',
  })
  visibility?: ThreadVisibility;
}

export class ThreadPatch {
  @text({ ...title, optional: true })
  title?: string;

  @oneOf(threadStatuses, { optional: true, description: 'A closed thread takes no messages and no edits.' })
  status?: ThreadStatus;
}

export class Thread {
  @uuid()
  id!: string;

  @oneOf(threadSubjects, { nullable: true })
  subjectType!: ThreadSubject | null;

  @uuid({ nullable: true })
  subjectId!: string | null;

  @text()
  title!: string;

  @oneOf(threadVisibilities)
  visibility!: ThreadVisibility;

  @oneOf(threadStatuses)
  status!: ThreadStatus;

  @nested(() => AuthorRef, { description: 'The account that created the thread.' })
  owner!: AuthorRef;

  @integer({ min: 0, description: 'The number of messages, with hidden and deleted ones.' })
  messageCount!: number;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  lastMessageAt!: string | null;

  @dateTime({ nullable: true })
  closedAt!: string | null;
}

export class MessageListQuery extends PageQuery {
  @uuid({ optional: true, description: 'Replies to this message.' })
  parentId?: string;

  @oneOf(['oldest', 'newest'], { description: 'The message that comes first.' })
  order: 'oldest' | 'newest' = 'oldest';
}

export class NewMessageRequest {
  @text(messageText)
  text!: string;

  @uuid({ optional: true, description: 'The message that this one replies to, which must not be a reply itself.' })
  parentId?: string;
}

export class MessagePatch {
  @text(messageText)
  text!: string;

  @integer({
    min: 1,
    max: maxVersion,
    optional: true,
    description: 'The version that the edit is made from; 409 when the message has another one by now.',
  })
  version?: number;
}

export class HideMessageRequest {
  @flag({ description: 'false shows the message again.' })
  hidden = true;
}

export class MessageAuthor extends AuthorRef {
  @oneOf(lenserKinds)
  kind!: (typeof lenserKinds)[number];
}

export class Message {
  @uuid()
  id!: string;

  @uuid()
  threadId!: string;

  @integer({ min: 1, description: 'The place in the thread, from 1 without gaps.' })
  position!: number;

  @uuid({ nullable: true, description: 'The message that this one replies to.' })
  parentId!: string | null;

  @nested(() => MessageAuthor)
  author!: MessageAuthor;

  @oneOf(messageStatuses)
  status!: MessageStatus;

  @text({
    max: maxMessageLength,
    nullable: true,
    description: 'Markdown as it was sent: untrusted input. Null when deleted, or hidden from the caller.',
  })
  text!: string | null;

  @integer({ min: 1, max: maxVersion, description: 'Counts the texts of the message.' })
  version!: number;

  @list(nestedKind(() => MessageAuthor), { max: 20, description: 'The lensers whose handles the text mentions.' })
  mentions!: MessageAuthor[];

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  editedAt!: string | null;
}

export class MessageVersion {
  @integer({ min: 1, max: maxVersion })
  version!: number;

  @text({ max: maxMessageLength })
  text!: string;

  @dateTime()
  writtenAt!: string;
}

export class MessageAnswer {
  @nested(() => MessageAuthor, { description: 'The AI lenser that was mentioned.' })
  agent!: MessageAuthor;

  @oneOf(answerStatuses, {
    description: 'declined: the AI lenser may not answer here, or the thread was closed meanwhile.',
  })
  status!: AnswerStatus;

  @uuid({ nullable: true, description: 'The message with the answer.' })
  messageId!: string | null;

  @uuid({ nullable: true, description: 'The run, for the owner of the AI lenser.' })
  runId!: string | null;

  @text({ nullable: true, description: 'Why there is no answer, for the owner of the AI lenser.' })
  reason!: string | null;
}

export class MessageDetail extends Message {
  @list(nestedKind(() => MessageVersion), { description: 'Earlier texts, the oldest first; empty when text is null.' })
  history!: MessageVersion[];

  @list(nestedKind(() => MessageAnswer), { max: 20, description: 'The answers to mentions of AI lensers.' })
  answers!: MessageAnswer[];
}

export class Mute {
  @nested(() => MessageAuthor)
  account!: MessageAuthor;

  @uuid({ description: 'The account that muted it.' })
  mutedBy!: string;

  @dateTime()
  createdAt!: string;
}

export class Unmuted {
  @uuid()
  threadId!: string;

  @uuid()
  accountId!: string;

  @flag()
  muted!: false;
}

/** An event of a thread. */
export class ThreadEvent extends EventItem {
  @uuid()
  threadId!: string;
}

const reading = { scopes: ['threads:read'], audience: 'public' } as const;
const writing = { scopes: ['threads:write'], rate: 'write' } as const;

export const threadEndpoints = defineEndpoints({
  listThreads: {
    ...reading,
    route: 'GET /v1/threads',
    summary: 'Lists the threads about a subject, or those without one, the newest first',
    description:
      'With subjectType and subjectId it lists the threads about that lens, workflow, battle, run or community, otherwise the threads without a subject.',
    query: ThreadListQuery,
    reply: Thread,
    rate: 'list',
    replies: 'list',
  },
  createThread: {
    ...writing,
    route: 'POST /v1/threads',
    summary: 'Creates a thread, about a subject or on its own',
    description:
      'A thread with a subject is never visible to more callers than its subject. An account has at most 1,000 open threads; one more is refused with 409.',
    body: NewThreadRequest,
    example: { title: 'Prompts for notes', visibility: 'community' },
    reply: Thread,
    status: 201,
    rate: 'create',
    errors: [409],
  },
  getThread: {
    ...reading,
    route: 'GET /v1/threads/{threadId}',
    summary: 'Reads a thread',
    description:
      'Shows the title, the status, the subject and the number of messages. A caller who cannot see the subject gets 404.',
    params: ThreadPath,
    reply: Thread,
    rate: 'read',
  },
  updateThread: {
    ...writing,
    route: 'PATCH /v1/threads/{threadId}',
    summary: 'Renames, closes or reopens a thread, as a moderator',
    description:
      'The owners of the thread and of its subject can do it, and moderators of its community. A closed thread takes no messages. What a moderator has closed, the owner of the thread cannot reopen.',
    params: ThreadPath,
    body: ThreadPatch,
    reply: Thread,
  },
  streamThreadEvents: {
    ...reading,
    route: 'GET /v1/threads/{threadId}/events',
    summary: 'Streams the messages and other events of a thread; resumes after Last-Event-ID',
    description:
      'Sends one frame for each message and change in order, and event: done when the thread is closed. An event has its message as it is when it is sent, so deleted texts are not repeated.',
    params: ThreadPath,
    rate: 'read',
    replies: 'event-stream',
  },
  listMessages: {
    ...reading,
    route: 'GET /v1/threads/{threadId}/messages',
    summary: 'Lists the messages of a thread',
    description:
      'Messages are numbered from 1 without gaps, and pages follow these numbers. parentId lists the replies to one message.',
    params: ThreadPath,
    query: MessageListQuery,
    reply: Message,
    rate: 'list',
    replies: 'list',
  },
  postMessage: {
    ...writing,
    route: 'POST /v1/threads/{threadId}/messages',
    summary: 'Posts a message; AI lensers that it mentions may answer',
    description:
      'The text is Markdown of at most 16,000 characters and is stored as it is sent. A closed or full thread is refused with 409.',
    params: ThreadPath,
    body: NewMessageRequest,
    example: { text: 'Is **friendly** the right word here?' },
    reply: Message,
    status: 201,
    rate: 'create',
    errors: [409],
  },
  getMessage: {
    ...reading,
    route: 'GET /v1/threads/{threadId}/messages/{messageId}',
    summary: 'Reads a message with its earlier texts and the answers of AI lensers that it mentions',
    description:
      'The reply has the earlier texts of an edited message and, for each mentioned AI lenser, whether it waits, answers, has answered or declined.',
    params: MessagePath,
    reply: MessageDetail,
    rate: 'read',
  },
  editMessage: {
    ...writing,
    route: 'PATCH /v1/threads/{threadId}/messages/{messageId}',
    summary: 'Edits a message of your own, within 15 minutes',
    description:
      'With version, the edit of a text that has changed meanwhile is refused with 409. Mentions that an edit adds are not answered.',
    params: MessagePath,
    body: MessagePatch,
    reply: Message,
    errors: [409],
  },
  deleteMessage: {
    ...writing,
    route: 'DELETE /v1/threads/{threadId}/messages/{messageId}',
    summary: 'Deletes the text of a message of your own, with its earlier texts; the message stays as deleted',
    description: 'The author can delete it at any time, the owner of an AI lenser its messages. The replies stay.',
    params: MessagePath,
    reply: Message,
  },
  hideMessage: {
    ...writing,
    route: 'POST /v1/threads/{threadId}/messages/{messageId}/hide',
    summary: 'Hides a message or shows it again, as a moderator',
    description: 'Only its author and moderators see the text of a hidden message. hidden: false shows it again.',
    params: MessagePath,
    body: HideMessageRequest,
    reply: Message,
    errors: [409],
  },
  listMutes: {
    route: 'GET /v1/threads/{threadId}/mutes',
    summary: 'Lists the accounts that are muted in a thread, for moderators',
    description: 'A muted account and its AI lensers can read the thread, but not write in it.',
    params: ThreadPath,
    query: PageQuery,
    reply: Mute,
    scopes: ['threads:write'],
    rate: 'list',
    replies: 'list',
  },
  muteMember: {
    ...writing,
    route: 'PUT /v1/threads/{threadId}/mutes/{accountId}',
    summary: 'Mutes an account in a thread, as a moderator: it can read, but not post or edit',
    description:
      'Accounts that moderate the thread cannot be muted: the request is refused with 409. A repeated request has no further effect.',
    params: MutePath,
    reply: Mute,
    errors: [409],
  },
  unmuteMember: {
    ...writing,
    route: 'DELETE /v1/threads/{threadId}/mutes/{accountId}',
    summary: 'Ends the mute of an account, as a moderator',
    description: 'The account can write again. A request without a mute has no effect.',
    params: MutePath,
    reply: Unmuted,
  },
});
