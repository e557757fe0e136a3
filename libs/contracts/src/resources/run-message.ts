import { oneOf, text } from '../schema/field.js';

export const messageRoles = ['system', 'user', 'assistant'] as const;
export type MessageRole = (typeof messageRoles)[number];

/** A message that a lens made of the parameters of a run. */
export class RunMessage {
  @oneOf(messageRoles)
  role!: MessageRole;

  @text({ max: 10_000_000 })
  text!: string;
}
