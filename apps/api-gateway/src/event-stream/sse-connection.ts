import type { ServerResponse } from 'node:http';
import type { Actor } from '@lensforge/core';
import { keepAlive, retryAfter } from './frame.js';

/** The connection of a client with more unsent bytes is cut; the client resumes where it was. */
const maxUnsentBytes = 128 * 1024;

/** One open event stream: sends frames and keep-alives, and cuts a client that does not read. */
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

  /** Closes the stream before its last event; the client reconnects after the delay. */
  endWithRetry(retryMs: number): void {
    this.end(retryAfter(retryMs));
  }

  /** Like `endWithRetry`, and closes the connection, so that the client opens the next one elsewhere. */
  handOver(retryMs: number): void {
    const { socket } = this.response;
    if (this.open) this.response.end(retryAfter(retryMs), () => socket?.end());
  }

  cut(): void {
    this.response.destroy();
  }

  /** Resolves when the socket can take more or the connection is closed. */
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

  /** Called every second: sends a keep-alive on an idle connection, cuts one that is stalled. */
  tick({ keepAliveMs, stallMs }: { keepAliveMs: number; stallMs: number }): void {
    const now = this.now();
    if (this.waitingSince !== undefined && now - this.waitingSince >= stallMs) this.cut();
    else if (now - this.lastWrite >= keepAliveMs && this.open) this.write(keepAlive);
  }

  protected get overLimit(): boolean {
    return this.response.writableLength > maxUnsentBytes;
  }

  protected end(frame: string): void {
    if (this.open) this.response.end(frame);
  }

  protected write(frame: Buffer | string): void {
    this.lastWrite = this.now();
    if (!this.response.write(frame)) this.waitingSince ??= this.lastWrite;
  }
}
