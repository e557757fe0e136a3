import { nested, oneOf, text, uuid } from '../schema/field.js';
import { type AnswerStatus, Message, type ThreadStatus, answerStatuses, threadStatuses } from '../resources/threads.js';
import type { Shape } from '../schema/rules.js';

export class MessageChanged {
  @nested(() => Message, {
    description: 'The message as it is when the event is sent; hidden and deleted texts are null for all readers.',
  })
  message!: Message;
}

export class ThreadUpdated {
  @text()
  title!: string;

  @oneOf(threadStatuses)
  status!: ThreadStatus;
}

export class AnswerChanged {
  @uuid({ description: 'The message that mentions the AI lenser.' })
  messageId!: string;

  @uuid({ description: 'The AI lenser.' })
  agentId!: string;

  @oneOf(answerStatuses)
  status!: AnswerStatus;
}

/** The events of a thread, with the classes of their payloads. */
export const threadEvents = {
  'message.posted': MessageChanged,
  'message.edited': MessageChanged,
  'message.deleted': MessageChanged,
  'message.hidden': MessageChanged,
  'message.shown': MessageChanged,
  'thread.updated': ThreadUpdated,
  'answer.changed': AnswerChanged,
} as const satisfies Record<string, Shape>;

export type ThreadEventType = keyof typeof threadEvents;

/** The last frame of a stream. */
export interface ThreadDone {
  eventType: 'done';
  payload: { status: ThreadStatus };
  occurredAt: string;
}

/** The pub/sub channel of a thread: the number of its last event, published after its commit. */
export const threadChannel = (threadId: string): string => `thread:${threadId}`;
