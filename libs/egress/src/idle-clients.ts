import type { Client } from 'undici';

/** Long enough for a burst, too short for most receivers to close the connection at the moment of its next use. */
export const IDLE_MS = 1000;

/** Connections that may be used again, each for what it was opened for alone. */
export class IdleClients {
  private readonly idle = new Map<string, { client: Client; timer: NodeJS.Timeout }[]>();

  take(key: string): Client | undefined {
    const waiting = this.idle.get(key);
    const found = waiting?.pop();
    if (waiting?.length === 0) this.idle.delete(key);
    clearTimeout(found?.timer);
    return found?.client;
  }

  keep(key: string, client: Client): void {
    const waiting = this.idle.get(key) ?? [];
    const timer = setTimeout(() => this.drop(key, client), IDLE_MS);
    timer.unref();
    waiting.push({ client, timer });
    this.idle.set(key, waiting);
  }

  private drop(key: string, client: Client): void {
    const left = (this.idle.get(key) ?? []).filter((each) => each.client !== client);
    if (left.length > 0) this.idle.set(key, left);
    else this.idle.delete(key);
    void client.destroy();
  }
}
