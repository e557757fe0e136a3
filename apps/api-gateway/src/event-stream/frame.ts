import type { GroupDone, RunDone, RunEvent, RunStatus } from '@lensforge/contracts';

/** One SSE frame. JSON has no raw line break, so the data of an event cannot end its frame. */
const frame = (id: number | string, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export const eventFrame = (event: RunEvent): string => frame(event.sequence, event.eventType, event);

export function doneFrame(lastSequence: number, status: RunStatus, occurredAt: string): string {
  const done: RunDone = { eventType: 'done', payload: { status }, occurredAt };
  return frame(lastSequence + 1, 'done', done);
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

const endings: Readonly<Record<string, RunStatus>> = {
  'run.succeeded': 'succeeded',
  'run.failed': 'failed',
  'run.canceled': 'canceled',
  'run.timed_out': 'timed_out',
};

/** The status with which an event ends its run; undefined for other events. */
export const endingOf = ({ eventType }: RunEvent): RunStatus | undefined => endings[eventType];
