import { setTimeout as pause } from 'node:timers/promises';
import type { ModelServer, Usage } from './model-server.js';
import { type ClaimedRun, type PlatformApi, Refused } from './platform-api.js';

export interface RunnerOptions {
  api: PlatformApi;
  server: ModelServer;
  name: string;
  /** The model for all runs; the model of each run when absent. */
  model?: string | undefined;
  waitSeconds?: number;
  signal: AbortSignal;
  say: (line: string) => void;
}

const gatherMs = 200;
const pauseMs = 2000;
const maxInOnePiece = 16_384;

const hasEnded = ({ signal }: RunnerOptions): boolean => signal.aborted;

/** Executes runs one after the other until the signal; an unfinished run is queued again when its lease expires. */
export async function serveRuns(options: RunnerOptions): Promise<void> {
  const { api, name, waitSeconds = 20, signal, say } = options;
  while (!hasEnded(options)) {
    try {
      const run = await api.claim(name, waitSeconds, signal);
      if (run) await execute(options, run);
    } catch (reason) {
      if (hasEnded(options)) return;
      if (reason instanceof Refused && [401, 403].includes(reason.status)) throw reason;
      say(`the platform cannot be reached (${toMessage(reason)}); trying again`);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function execute({ api, server, model, signal, say }: RunnerOptions, run: ClaimedRun): Promise<void> {
  const { runId, lease, prompt, messages, maxOutputTokens, sampling, outputSchema } = run;
  say(`run ${runId}`);
  const stopping = new AbortController();
  const both = AbortSignal.any([signal, stopping.signal]);
  const reporter = new RunReporter(api, run, () => stopping.abort());
  let text = '';
  let usage: Usage | undefined;
  try {
    const task = {
      messages: messages ?? [{ role: 'user', text: prompt }],
      model: model ?? run.model.key,
      maxOutputTokens,
      sampling,
      outputSchema,
    };
    for await (const part of server.answer(task, both)) {
      if ('usage' in part) usage = part.usage;
      else {
        text += part.delta;
        reporter.add(part.delta);
      }
    }
    await reporter.close();
    await api.finish(runId, { leaseToken: lease.token, outcome: 'succeeded', text, ...(usage && { usage }) });
    say(`run ${runId} succeeded`);
  } catch (reason) {
    await reporter.close().catch(() => undefined);
    if (reporter.lost) say(`run ${runId} is no longer ours: ${reporter.lost.message}`);
    else if (reporter.cancelRequested) {
      await api.finish(runId, { leaseToken: lease.token, outcome: 'canceled' });
      say(`run ${runId} was canceled`);
    } else if (signal.aborted) say(`run ${runId} goes back: this runner stops`);
    else if (reason instanceof Refused) say(`run ${runId} is no longer ours: ${reason.message}`);
    else {
      await api.finish(runId, { leaseToken: lease.token, outcome: 'failed', error: toMessage(reason).slice(0, 1000) });
      say(`run ${runId} failed: ${toMessage(reason)}`);
    }
  }
}

/** Reports output to the platform, and sends heartbeats in time to keep the lease. */
class RunReporter {
  cancelRequested = false;
  lost: Refused | undefined;
  private readonly pieces: string[] = [];
  private sequence: number;
  private running: Promise<void> = Promise.resolve();
  private heardAt = Date.now();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly api: PlatformApi,
    private readonly run: ClaimedRun,
    private readonly stop: () => void,
  ) {
    this.sequence = run.sequence;
    this.timer = setInterval(() => {
      if (this.pieces.length > 0 || Date.now() - this.heardAt > run.lease.ms / 3) this.flush();
    }, gatherMs);
  }

  add(text: string): void {
    const last = this.pieces.at(-1);
    if (last !== undefined && last.length + text.length <= maxInOnePiece)
      this.pieces[this.pieces.length - 1] = last + text;
    else for (let at = 0; at < text.length; at += maxInOnePiece) this.pieces.push(text.slice(at, at + maxInOnePiece));
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.flush();
    await this.running;
    if (this.lost) throw this.lost;
  }

  private flush(): void {
    this.heardAt = Date.now();
    this.running = this.running.then(async () => {
      if (this.lost) return;
      const deltas = this.pieces.splice(0, 100);
      try {
        const body = { leaseToken: this.run.lease.token, after: this.sequence, deltas };
        const { cancelRequested, sequence } = await this.api.report(this.run.runId, body);
        this.sequence = sequence;
        if (cancelRequested) this.cancelRequested = true;
      } catch (reason) {
        this.lost = reason instanceof Refused ? reason : new Refused(0, toMessage(reason));
      }
      if (this.lost || this.cancelRequested) this.stop();
    });
  }
}

const toMessage = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));
