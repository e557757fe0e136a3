import { dateTime, integer, record, text } from '../schema/field.js';

/** The members of the events of AI lensers, battles and threads. */
export class EventItem {
  @integer({ min: 1 })
  sequence!: number;

  @text()
  eventType!: string;

  @record()
  payload!: Record<string, unknown>;

  @dateTime()
  occurredAt!: string;
}
