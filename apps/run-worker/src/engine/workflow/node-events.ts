/** What a node has come to in the hands of a worker. */
export type Outcome = Succeeded | Failed | Waiting | Mapped | Released;

/** What was used, whether it went well or not. */
export interface Used {
  modelCalls?: number;
  tokenInput?: number;
  tokenOutput?: number;
  cost?: number;
  /** Whether credits were set aside for the node. */
  reserved?: boolean;
}

export interface Succeeded extends Used {
  kind: 'succeeded';
  output: unknown;
  input?: unknown;
}

export interface Failed extends Used {
  kind: 'failed';
  code: string;
  message: string;
  input?: unknown;
  timedOut?: boolean;
  /** final: another try would come to the same. passing: it may be tried again even if the node does not ask for it. */
  again?: 'final' | 'passing';
  afterMs?: number | undefined;
  /** Ends the run, whatever the node says of errors. */
  endsRun?: boolean;
}

/** It goes on when it is woken, or when the time has come. No worker holds it. */
export interface Waiting {
  kind: 'waiting';
  dueMs: number;
  until?: string;
  state?: Readonly<Record<string, unknown>>;
  input?: unknown;
  /** What somebody outside is asked; only the first time. */
  ask?: { id: string; kind: 'approval' | 'webhook'; message: string | null; details: unknown; expiresMs: number };
}

/** A map that knows its items. */
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
