import type { RunEvent, RunEventPayload, RunEventType, RunStatus } from '@lensforge/contracts';

export type ToolCallEvent = RunEventPayload<'run.requires_action'>['calls'][number];

/** The part of an answer that an event of its run adds. */
export type AnswerPart =
  | { text: string }
  /** The run waits for the results of these calls. */
  | { calls: readonly ToolCallEvent[] }
  | { ended: Exclude<RunStatus, 'queued' | 'running'> }
  /** Another attempt answers with another text than the one that was passed on. */
  | { diverged: true };

export interface SegmentUse {
  tokenInput: number;
  tokenOutput: number;
}

const endings: Readonly<Record<string, Extract<AnswerPart, { ended: unknown }>['ended']>> = {
  'run.succeeded': 'succeeded',
  'run.failed': 'failed',
  'run.canceled': 'canceled',
  'run.timed_out': 'timed_out',
};

const isOf = <T extends RunEventType>(event: RunEvent, type: T): event is RunEvent<T> & RunEvent =>
  event.eventType === type;

/**
 * Reads an answer from the events of a run. When an attempt is lost, the next one begins its text again: the part that was
 * passed on is left out, as long as it is the same.
 */
export class AnswerFold {
  /** The text so far. */
  text = '';
  /** The use of the steps so far, for a lens with tools. */
  readonly used: SegmentUse = { tokenInput: 0, tokenOutput: 0 };
  /** The beginning of the text that a new attempt writes again; undefined when it goes on. */
  private again: string | undefined;
  /** The text of the current step. */
  private piece = '';
  private skips: boolean;

  /** @param after the calls whose results the answer follows; earlier events are left out. */
  constructor(
    private readonly isWorkflow: boolean,
    private readonly after: readonly string[] = [],
  ) {
    this.skips = after.length > 0;
  }

  take(event: RunEvent): AnswerPart | undefined {
    const ended = endings[event.eventType];
    if (ended) return { ended };
    if (isOf(event, 'run.requires_action')) return this.takeCalls(event.payload.calls);
    if (this.skips || this.isWorkflow) return undefined;
    if (isOf(event, 'node.output.delta')) return this.takeText(event.payload.text);
    if (isOf(event, 'agent.step')) this.endStep(event.payload);
    else if (restarts.includes(event.eventType) && this.piece !== '') this.again = '';
    return undefined;
  }

  private takeCalls(calls: readonly ToolCallEvent[]): AnswerPart | undefined {
    if (!this.skips) return this.isWorkflow ? undefined : { calls };
    if (calls.some(({ callId }) => this.after.includes(callId))) this.skips = false;
    return undefined;
  }

  private takeText(text: string): AnswerPart | undefined {
    if (this.again === undefined) return this.pass(text);
    this.again += text;
    const { again, piece } = this;
    if (!(again.length > piece.length ? again.startsWith(piece) : piece.startsWith(again))) return { diverged: true };
    if (again.length < piece.length) return undefined;
    this.again = undefined;
    return again.length > piece.length ? this.pass(again.slice(piece.length)) : undefined;
  }

  private pass(text: string): AnswerPart {
    this.text += text;
    this.piece += text;
    return { text };
  }

  private endStep({ tokenInput, tokenOutput }: SegmentUse): void {
    this.piece = '';
    this.again = undefined;
    this.used.tokenInput += tokenInput;
    this.used.tokenOutput += tokenOutput;
  }
}

const restarts: readonly RunEventType[] = ['run.started', 'run.retrying', 'node.started', 'node.retrying'];
