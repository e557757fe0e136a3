import { Socket } from 'node:net';
import { type DatabaseAddress, toConnection } from '@lensforge/database';
import { Client } from 'pg';
import { isError } from '../rest/is-error.js';

const timeoutMs = 1500;

/**
 * Calls the health function of the database over a connection of its own, so that a busy pool cannot fail it. Concurrent
 * checks share one query; a connection that did not answer is closed, so that the next check opens another.
 */
export class DatabaseProbe {
  private connection: { client: Client; socket: Socket } | undefined;
  private pending: Promise<string | undefined> | undefined;

  constructor(
    private readonly address: DatabaseAddress,
    private readonly name: string,
  ) {}

  /** Returns the fault as a message for operators; undefined when the database is healthy. */
  check(): Promise<string | undefined> {
    this.pending ??= this.runCheck().finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  close(): void {
    this.connection?.socket.destroy();
    this.connection = undefined;
  }

  private async runCheck(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, `the database did not answer within ${timeoutMs} ms`);
    });
    try {
      const fault = await Promise.race([this.query(), timeout]);
      if (fault !== undefined) this.close();
      return fault;
    } catch (error) {
      this.close();
      const code: unknown = isError(error) ? Reflect.get(error, 'code') : undefined;
      return `the database cannot be queried${typeof code === 'string' ? ` (${code})` : ''}`;
    } finally {
      clearTimeout(timer);
    }
  }

  private async query(): Promise<string | undefined> {
    const client = this.connection?.client ?? (await this.connect());
    const { rows } = await client.query<{ healthy: boolean }>('select lensforge_health() as healthy');
    return rows[0]?.healthy === true ? undefined : 'the function lensforge_health() of the database returned false';
  }

  private async connect(): Promise<Client> {
    const socket = new Socket();
    const client = new Client({
      ...toConnection(this.address),
      application_name: `${this.name} health`,
      stream: () => socket,
      keepAlive: true,
    });
    client.on('error', () => {
      if (this.connection?.client === client) this.close();
    });
    this.connection = { client, socket };
    await client.connect();
    return client;
  }
}
