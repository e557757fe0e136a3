import type { Context } from '@lensforge/core';
import { platformActor } from '@lensforge/core';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

type Explained = [{ 'QUERY PLAN': [{ Plan: Plan }] }];

const small = ['models', 'users', 'credit_accounts', 'webhook_endpoints'];

/** The large tables that a call reads, each with the index by which it does, or "all of it". What it writes is undone. */
export async function waysOf(source: DataSource, call: (ctx: Context) => Promise<unknown>): Promise<string[]> {
  const ways = new Set<string>();
  const note = ({ 'Node Type': node, 'Relation Name': table, 'Index Name': index, Plans = [] }: Plan): void => {
    if (table && !small.includes(table) && node.includes('Scan') && !node.includes('Bitmap')) {
      ways.add(`${table} by ${index ?? 'all of it'}`);
    }
    if (node === 'Bitmap Index Scan') ways.add(`bitmap by ${index}`);
    Plans.forEach(note);
  };
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  try {
    const { manager } = runner;
    const db = Object.create(manager) as Context['db'];
    db.query = async <R>(sql: string, parameters?: unknown[]): Promise<R> => {
      const [answer] = await manager.query<Explained>(`explain (format json) ${sql}`, parameters);
      note(answer['QUERY PLAN'][0].Plan);
      return manager.query<R>(sql, parameters);
    };
    await call({ ...aContext(db), actor: platformActor });
    return [...ways].sort();
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
