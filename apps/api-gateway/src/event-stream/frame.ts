import type { GroupDone, RunEvent } from '@lensforge/contracts';

/** One SSE frame. JSON has no raw line break, so the data of an event cannot end its frame. */
const frame = (id: number | string, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** An event of a log, as it is stored and sent. */
export interface LogEvent {
  eventType: string;
  sequence: number;
  occurredAt: string;
}

export const eventFrame = (event: LogEvent): string => frame(event.sequence, event.eventType, event);

/** The last frame of the stream of a log. */
export function doneFrame(id: number, status: string, occurredAt: string): string {
  return frame(id, 'done', { eventType: 'done', payload: { status }, occurredAt });
}

export const groupFrame = (streamId: string, position: number, event: RunEvent): string =>
  frame(groupEventId(streamId, position), event.eventType, event);

export function groupDoneFrame(
  streamId: string,
  position: number,
  statuses: GroupDone['payload']['statuses'],
  occurredAt: string,
): string {
  const done: GroupDone = { eventType: 'done', payload: { statuses }, occurredAt };
  return frame(groupEventId(streamId, position), 'done', done);
}

const groupEventId = (streamId: string, position: number): string =>
  `${Buffer.from(streamId.replaceAll('-', ''), 'hex').toString('base64url')}.${position}`;

/** The position after which a client resumes this stream; undefined for an id of another stream. */
export function groupResumePoint(streamId: string, lastEventId: string | string[] | undefined): number | undefined {
  const given = typeof lastEventId === 'string' ? lastEventId.trim() : '';
  const [, position] = /^[\w-]{22}\.(\d{1,15})$/.exec(given) ?? [];
  return position !== undefined && groupEventId(streamId, Number(position)) === given ? Number(position) : undefined;
}

export const keepAlive = ': keep-alive\n\n';

export const retryAfter = (ms: number): string => `retry: ${ms}\n\n`;

/** The sequence number after which a client resumes; 0 when the header is not a number. */
export function resumePoint(lastEventId: string | string[] | undefined): number {
  const given = typeof lastEventId === 'string' ? lastEventId.trim() : '';
  return /^\d{1,9}$/.test(given) ? Number(given) : 0;
}
