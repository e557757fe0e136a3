import type { Client } from 'undici';

/** Long enough for a burst of calls, and too short for most servers to close the connection first. */
export const IDLE_MS = 1000;

/** Idle connections for reuse, by origin and reuse key. */
export class IdleClients {
  private readonly idle = new Map<string, { client: Client; timer: NodeJS.Timeout }[]>();

  take(key: string): Client | undefined {
    const clients = this.idle.get(key);
    const found = clients?.pop();
    if (clients?.length === 0) this.idle.delete(key);
    clearTimeout(found?.timer);
    return found?.client;
  }

  keep(key: string, client: Client): void {
    const clients = this.idle.get(key) ?? [];
    const timer = setTimeout(() => this.drop(key, client), IDLE_MS);
    timer.unref();
    clients.push({ client, timer });
    this.idle.set(key, clients);
  }

  private drop(key: string, client: Client): void {
    const remaining = (this.idle.get(key) ?? []).filter((each) => each.client !== client);
    if (remaining.length > 0) this.idle.set(key, remaining);
    else this.idle.delete(key);
    void client.destroy();
  }
}
