import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { statementName } from './prepared-statement.js';

/** After these a connection is of no use: an answer is still due, or a kept plan is of an older schema. */
const spoilt = /^(Query read timeout|cached plan must not change result type)$/;

/**
 * A query without an answer in time leaves its connection waiting for that answer, and the pool would hand it out
 * again and again. This one hangs up first, so that the next query has a connection of its own.
 */
export class TimeoutClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const ask = this.query.bind(this) as (...question: unknown[]) => unknown;
    this.query = (text: unknown, ...more: unknown[]) => {
      const name = typeof text === 'string' ? statementName(text) : undefined;
      const answer = ask(name === undefined ? text : { name, text }, ...more);
      return (answer instanceof Promise ? answer.catch((reason: unknown) => this.fail(reason)) : answer) as never;
    };
  }

  private async fail(reason: unknown): Promise<never> {
    const { stream } = this.connection;
    if (reason instanceof Error && spoilt.test(reason.message) && !stream.destroyed) {
      await new Promise((resolve) => {
        this.once('end', () => resolve(undefined));
        stream.destroy();
      });
    }
    throw reason;
  }
}
