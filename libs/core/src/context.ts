import type { EntityManager } from 'typeorm';
import type { Actor } from './actor.js';

/** What every use case is given first. Doors build it and nothing else does. */
export interface Context {
  readonly actor: Actor;
  readonly db: EntityManager;
  readonly now: () => Date;
  readonly requestId: string;
  /** W3C trace context of the request or job that this belongs to. */
  readonly traceparent?: string | undefined;
}
