import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { statementName } from './prepared-statement.js';

/** Errors after which a connection is unusable: an answer is still pending, or its plans are of an older schema. */
const fatalMessages = /^(Query read timeout|cached plan must not change result type)$/;

/**
 * Closes the connection of a query that timed out. The driver would return that connection to the pool although it still
 * waits for the answer.
 */
export class TimeoutClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = (text: unknown, ...rest: unknown[]) => {
      const name = typeof text === 'string' ? statementName(text) : undefined;
      const result = query(name === undefined ? text : { name, text }, ...rest);
      return (result instanceof Promise ? result.catch((reason: unknown) => this.fail(reason)) : result) as never;
    };
  }

  private async fail(reason: unknown): Promise<never> {
    const { stream } = this.connection;
    if (reason instanceof Error && fatalMessages.test(reason.message) && !stream.destroyed) {
      await new Promise((resolve) => {
        this.once('end', () => resolve(undefined));
        stream.destroy();
      });
    }
    throw reason;
  }
}
