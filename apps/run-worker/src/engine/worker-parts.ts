import type { Context } from '@lensforge/core';
import type { ByokLeases } from '../byok-leases.js';
import type { Providers } from '../providers/providers.js';
import type { Timing } from './timing.js';

export interface EngineLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Parts that the engines of a process share. */
export interface WorkerParts {
  /** The context of the platform. */
  ctx: Context;
  providers: Providers;
  /** Opens BYOK keys of callers. */
  keys: ByokLeases;
  /** The name of this worker in the rows of its runs and nodes. */
  worker: string;
  leaseMs: number;
  heartbeatMs: number;
  timing: Timing;
  log: EngineLog;
}
