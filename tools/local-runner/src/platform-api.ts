import { setTimeout as pause } from 'node:timers/promises';

export interface ClaimedRun {
  runId: string;
  lease: { token: number; ms: number };
  sequence: number;
  prompt: string;
  messages: { role: string; text: string }[] | null;
  model: { provider: string; key: string };
  maxOutputTokens: number;
  sampling: { temperature?: number; topP?: number; seed?: number; stop?: string[] };
  outputSchema: Record<string, unknown> | null;
}

/** A permanent refusal of the platform; retries do not help. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const tries = 5;
const pauseMs = 500;

/** The API calls of a runner; each is idempotent and retried. */
export class PlatformApi {
  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  async claim(runner: string, waitSeconds: number, signal: AbortSignal): Promise<ClaimedRun | null> {
    const { run } = await this.post<{ run: ClaimedRun | null }>('claim', { runner, waitSeconds }, signal);
    return run;
  }

  report(
    runId: string,
    body: { leaseToken: number; after: number; deltas: readonly string[] },
  ): Promise<{ cancelRequested: boolean; sequence: number }> {
    return this.insist(`${runId}/events`, body);
  }

  async finish(runId: string, body: object): Promise<void> {
    await this.insist(`${runId}/finish`, body);
  }

  private async insist<T>(path: string, body: object): Promise<T> {
    for (let left = tries - 1; ; left -= 1) {
      try {
        return await this.post<T>(path, body);
      } catch (reason) {
        if (reason instanceof Refused || left === 0) throw reason;
        await pause(pauseMs * (tries - left));
      }
    }
  }

  private async post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    const answer = await fetch(`${this.base}/v1/local-runs/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    const said = (await answer.json()) as { data?: T; error?: { message: string } | null };
    if (answer.ok && said.data !== undefined) return said.data;
    const message = said.error?.message ?? `The platform answered ${answer.status}`;
    if (answer.status >= 500 || answer.status === 429) throw new Error(message);
    throw new Refused(answer.status, message);
  }
}
