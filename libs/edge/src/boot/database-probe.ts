import { Socket } from 'node:net';
import { Client } from 'pg';
import { isError } from '../rest/is-error.js';

const limitMs = 1500;

/**
 * Asks the database's health function over a connection of its own, so that a busy pool cannot fail it. One question
 * at a time however many ask; a connection that did not answer is thrown away, so recovery is seen at once.
 */
export class DatabaseProbe {
  private line: { client: Client; socket: Socket } | undefined;
  private underWay: Promise<string | undefined> | undefined;

  constructor(
    private readonly url: string,
    private readonly name: string,
  ) {}

  /** What is wrong, in words for an operator; undefined when the database is well. */
  check(): Promise<string | undefined> {
    this.underWay ??= this.ask().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  close(): void {
    this.line?.socket.destroy();
    this.line = undefined;
  }

  private async ask(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, limitMs, `the database did not answer within ${limitMs} ms`);
    });
    try {
      const fault = await Promise.race([this.query(), late]);
      if (fault !== undefined) this.close();
      return fault;
    } catch (error) {
      this.close();
      const code: unknown = isError(error) ? Reflect.get(error, 'code') : undefined;
      return `the database cannot be asked${typeof code === 'string' ? ` (${code})` : ''}`;
    } finally {
      clearTimeout(timer);
    }
  }

  private async query(): Promise<string | undefined> {
    const client = this.line?.client ?? (await this.connect());
    const { rows } = await client.query<{ well: boolean }>('select lensforge_health() as well');
    return rows[0]?.well === true ? undefined : 'the health function of the database answered false';
  }

  private async connect(): Promise<Client> {
    const socket = new Socket();
    const client = new Client({
      connectionString: this.url,
      application_name: `${this.name} health`,
      stream: () => socket,
      keepAlive: true,
    });
    client.on('error', () => {
      if (this.line?.client === client) this.close();
    });
    this.line = { client, socket };
    await client.connect();
    return client;
  }
}
