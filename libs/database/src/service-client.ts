import { Client, type ClientConfig } from 'pg';
import { statementName } from './prepared-statement.js';

/** Errors after which a connection is unusable: an answer is still pending, or its plans are of an older schema. */
const fatalMessages = /^(Query read timeout|cached plan must not change result type)$/;

type PlanMode = 'auto' | 'force_generic_plan';

/**
 * A connection of a service. It plans a prepared statement once, where PostgreSQL would plan the first five executions, and
 * other statements for their parameters: docs/adr/0018-plans-are-kept.md. It closes when a query timed out; the driver would
 * return it to the pool although it still waits for the answer.
 */
export class ServiceClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    /** As the session has it; undefined when the end of a transaction may have put back an older one. */
    let planMode: PlanMode | undefined = 'auto';
    const setPlanMode = (mode: PlanMode): void => {
      if (planMode === mode) return;
      planMode = mode;
      // In a transaction that has failed it fails as well, and so does the query that follows it.
      void (query(`set plan_cache_mode = ${mode}`) as Promise<unknown>).catch(() => undefined);
    };
    const failed = async (reason: unknown): Promise<never> => {
      planMode = undefined;
      return this.fail(reason);
    };
    this.query = (text: unknown, ...rest: unknown[]) => {
      const name = typeof text === 'string' ? statementName(text) : undefined;
      if (name !== undefined) setPlanMode('force_generic_plan');
      else if (typeof text !== 'string' || hasValues(rest)) setPlanMode('auto');
      else if (/^rollback/i.test(text)) planMode = undefined;
      const result = query(name === undefined ? text : { name, text }, ...rest);
      return (result instanceof Promise ? result.catch(failed) : result) as never;
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

/** A statement without values has one plan. */
const hasValues = ([values]: readonly unknown[]): boolean => Array.isArray(values) && values.length > 0;
