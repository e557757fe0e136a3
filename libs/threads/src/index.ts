export { createThread, maxOpenThreads } from './create-thread.js';
export { listThreads } from './list-threads.js';
export type { ThreadFilter } from './list-threads.js';
export { readThread } from './read-thread.js';
export { updateThread } from './update-thread.js';
export type { ThreadChange } from './update-thread.js';
export {
  canFollowThread,
  readThreadEvents,
  readThreadPositions,
  readableThreadLog,
} from './events/read-thread-events.js';
export type { ThreadLog } from './events/read-thread-events.js';
export { deleteMessage } from './messages/delete-message.js';
export type { MessageRef } from './messages/delete-message.js';
export { editMessage } from './messages/edit-message.js';
export type { MessageEdit } from './messages/edit-message.js';
export { hideMessage } from './messages/hide-message.js';
export { listMessages } from './messages/list-messages.js';
export type { MessageFilter } from './messages/list-messages.js';
export { postMessage } from './messages/post-message.js';
export type { MessageOrder } from './messages/post-message.js';
export { readMessage } from './messages/read-message.js';
export { listMutes } from './mutes/list-mutes.js';
export { muteMember } from './mutes/mute-member.js';
export type { MuteRef } from './mutes/mute-member.js';
export { unmuteMember } from './mutes/unmute-member.js';
export { answerMention } from './answers/answer-mention.js';
export type { AnswerOptions } from './answers/answer-mention.js';
export type { MentionRef } from './answers/locked-mention.js';
export type { AnswerTask, TaskMessage } from './answers/answer-task.js';
export { postAnswer } from './answers/post-answer.js';
export { listOwnMessages } from './messages/list-own-messages.js';
export { eraseHiddenThreads } from './erase-hidden-threads.js';
