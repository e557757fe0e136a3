import type { EntityManager } from 'typeorm';
import type { Actor } from './actor.js';

/** The first argument of every use case. Only the entry points (gateways and workers) create it. */
export interface Context {
  readonly actor: Actor;
  readonly db: EntityManager;
  readonly now: () => Date;
  readonly requestId: string;
  /** W3C trace context of the request or job. */
  readonly traceparent?: string | undefined;
}
