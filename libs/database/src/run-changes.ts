import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { DataSource } from 'typeorm';
import type { OutboxRow } from './outbox-row.js';
import { perDatabase } from './per-database.js';
import { afterCommit } from './transaction.js';

/** A concurrency key, or null for any run of the account. */
export interface AdmissionTarget {
  accountId: string;
  concurrencyKey: string | null;
}

/** The end of an event log whose readers follow a channel. */
export interface LogPosition {
  channel: string;
  lastSequence: number;
}

/** News of a commit for other processes. All of it can be found in PostgreSQL again, so losing it costs time only. */
export interface RunChanges {
  /** Outbox rows that this process publishes. */
  jobs: readonly OutboxRow[];
  events: readonly RunEvent[];
  /** Logs with new events. */
  positions: readonly LogPosition[];
  /** Ids of running runs whose workers must stop. */
  runsToStop: readonly string[];
  /** Waiting runs that a free slot or key may admit. */
  toAdmit: readonly AdmissionTarget[];
}

type Publish = (changes: Partial<RunChanges>) => void;

const publisher = perDatabase<Publish | undefined>(() => undefined);

/** Publishes the changes of all use cases on this database; set once at process start. */
export const publishRunChanges = (source: DataSource, publish: Publish): void => publisher.set(source, publish);

/** Hands changes to the publisher of this process after the commit. Use cases call it, so that no entry point has to. */
export function recordRunChanges(ctx: Context, changes: Partial<RunChanges>): void {
  const publish = publisher.of(ctx);
  if (publish && Object.values(changes).some((list) => list.length > 0)) afterCommit(ctx, () => publish(changes));
}

const publishWithinMs = 3000;

/** The time for which the polling publisher leaves a new outbox row to the process that wrote it. */
export const outboxClaimMs = (ctx: Context): number => (publisher.of(ctx) ? publishWithinMs : 0);
