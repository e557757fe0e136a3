import type { GroupDone, RunDone, RunEvent, RunStatus } from '@lensforge/contracts';

/** JSON holds no raw line break, so what an event carries can never end its frame. */
const frame = (id: number | string, event: string, data: object): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export const eventFrame = (event: RunEvent): string => frame(event.sequence, event.eventType, event);

export function doneFrame(lastSequence: number, status: RunStatus, occurredAt: string): string {
  const done: RunDone = { eventType: 'done', payload: { status }, occurredAt };
  return frame(lastSequence + 1, 'done', done);
}

export const groupFrame = (streamId: string, place: number, event: RunEvent): string =>
  frame(groupPoint(streamId, place), event.eventType, event);

export function groupDoneFrame(
  streamId: string,
  place: number,
  statuses: GroupDone['payload']['statuses'],
  occurredAt: string,
): string {
  const done: GroupDone = { eventType: 'done', payload: { statuses }, occurredAt };
  return frame(groupPoint(streamId, place), 'done', done);
}

const groupPoint = (streamId: string, place: number): string =>
  `${Buffer.from(streamId.replaceAll('-', ''), 'hex').toString('base64url')}.${place}`;

/** The place in this stream after which a client resumes; undefined for what was no frame of it. */
export function groupResumePoint(streamId: string, lastEventId: string | string[] | undefined): number | undefined {
  const given = typeof lastEventId === 'string' ? lastEventId.trim() : '';
  const [, place] = /^[\w-]{22}\.(\d{1,15})$/.exec(given) ?? [];
  return place !== undefined && groupPoint(streamId, Number(place)) === given ? Number(place) : undefined;
}

export const keepAlive = ': keep-alive\n\n';

export const retryAfter = (ms: number): string => `retry: ${ms}\n\n`;

/** The sequence number after which a client resumes; whatever is no such number means from the beginning. */
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

/** The status that an event ends its run with; undefined for an event after which there will be others. */
export const endingOf = ({ eventType }: RunEvent): RunStatus | undefined => endings[eventType];
