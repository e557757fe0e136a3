import type { ServerResponse } from 'node:http';
import type { Actor } from '@lensforge/core';
import { keepAlive, retryAfter } from './frame.js';

/** More than this unsent and the client is cut: it resumes where it was, and nobody else pays for it. */
const mostUnsent = 128 * 1024;

/** One open event stream as a line to a client: what waits to be taken, when it last moved. */
export class SseConnection {
  private waitingSince: number | undefined;
  private lastWrite: number;

  constructor(
    protected readonly response: ServerResponse,
    readonly actor: Actor,
    private readonly now: () => number,
  ) {
    this.lastWrite = now();
    response.on('drain', () => (this.waitingSince = undefined));
  }

  get open(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** Says goodbye without an end: the client comes back, here or elsewhere. */
  leave(retryMs: number): void {
    this.end(retryAfter(retryMs));
  }

  cut(): void {
    this.response.destroy();
  }

  /** Resolves when the client has taken what was sent, or is gone. */
  async drained(): Promise<void> {
    if (!this.open || !this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        this.response.off('drain', settle);
        this.response.off('close', settle);
        resolve();
      };
      this.response.once('drain', settle);
      this.response.once('close', settle);
    });
  }

  /** Called every second: comments keep a quiet line open, a line that takes nothing is cut. */
  tick({ keepAliveMs, stallMs }: { keepAliveMs: number; stallMs: number }): void {
    const now = this.now();
    if (this.waitingSince !== undefined && now - this.waitingSince >= stallMs) this.cut();
    else if (now - this.lastWrite >= keepAliveMs && this.open) this.write(keepAlive);
  }

  protected get overfull(): boolean {
    return this.response.writableLength > mostUnsent;
  }

  protected end(frame: string): void {
    if (this.open) this.response.end(frame);
  }

  protected write(frame: Buffer | string): void {
    this.lastWrite = this.now();
    if (!this.response.write(frame)) this.waitingSince ??= this.lastWrite;
  }
}
