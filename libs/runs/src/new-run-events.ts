import type { RunEvent, RunEventPayload, RunEventType } from '@lensforge/contracts';

export type NewRunEvent = { [T in RunEventType]: { type: T; payload: RunEventPayload<T> } }[RunEventType];

/**
 * The only SQL that stores events, for a CTE of the statement that moves `last_sequence`. `source` is another CTE with the
 * columns id (of the run), before (its last sequence number until now) and events (a jsonb array of NewRunEvent).
 */
export const insertRunEvents = (source: string): string => `
  insert into run_events (run_id, sequence, type, payload)
  select s.id, s.before + e.position::int, e.event ->> 'type', e.event -> 'payload'
    from ${source} s, jsonb_array_elements(s.events) with ordinality as e(event, position)`;

/** The sequence number before the first of some stored events, and the time of all of them. */
export interface EventsPosition {
  runId: string;
  before: number;
  at: string;
}

/** Numbers events like `insertRunEvents`. */
export const storedRunEvents = (
  events: readonly NewRunEvent[],
  { runId, before, at: occurredAt }: EventsPosition,
): RunEvent[] =>
  events.map(({ type, payload }, index) => ({
    eventType: type,
    payload,
    occurredAt,
    runId,
    sequence: before + index + 1,
  }));
