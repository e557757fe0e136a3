import type { TokenDetails } from '@lensforge/contracts';

/** The outcome of one attempt of a node. */
export type Outcome = Succeeded | Failed | Waiting | Mapped | Released;

/** The consumption of an attempt, successful or not. */
export interface Usage {
  modelCalls?: number;
  tokenInput?: number;
  tokenOutput?: number;
  tokenDetails?: TokenDetails | null;
  cost?: number;
  /** True when credits were reserved for the node. */
  reserved?: boolean;
}

export interface Succeeded extends Usage {
  kind: 'succeeded';
  output: unknown;
  input?: unknown;
}

export interface Failed extends Usage {
  kind: 'failed';
  code: string;
  message: string;
  input?: unknown;
  timedOut?: boolean;
  /** final: a retry would fail too. passing: a retry is allowed even if the node has no retry settings. */
  retry?: 'final' | 'passing';
  afterMs?: number | undefined;
  /** Ends the run, also with `onError: continue`. */
  endsRun?: boolean;
}

/** The node waits for a wake-up or a time; no worker holds it. */
export interface Waiting {
  kind: 'waiting';
  dueMs: number;
  until?: string;
  state?: Readonly<Record<string, unknown>>;
  input?: unknown;
  /** True for a further wait of the same node; the first one is always announced by an event. */
  announce?: boolean;
  /** The approval or callback URL to create; only when the node begins to wait. */
  ask?: { id: string; kind: 'approval' | 'webhook'; message: string | null; details: unknown; expiresMs: number };
}

/** A map node whose items are known. */
export interface Mapped {
  kind: 'mapped';
  items: readonly unknown[];
}

/** The worker is stopping. */
export interface Released {
  kind: 'released';
}

export type NodeEvent =
  | { kind: 'start' }
  | { kind: 'claim'; key: string; generation: number }
  | { kind: 'finish'; key: string; attempt: number; outcome: Outcome; resolved?: 'approved' | 'rejected' | 'expired' }
  | { kind: 'lost'; key: string; attempt: number };
