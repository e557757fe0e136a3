import { type Context, platformActor } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

type Explained = [{ 'QUERY PLAN': [{ Plan: Plan }] }];

const small = ['models', 'providers', 'users', 'credit_accounts', 'webhook_endpoints'];

interface Parts {
  /** The index of a partitioned table, by the index of a partition. */
  indexes: ReadonlyMap<string, string>;
  /** The partitioned table, by its partition. */
  tables: ReadonlyMap<string, string>;
  /** Empty partitions; reading them whole costs nothing. */
  empty: ReadonlySet<string>;
}

export async function partsOf(source: DataSource): Promise<Parts> {
  const rows = await source.query<{ part: string; whole: string; kind: string; empty: boolean }[]>(
    `select part.relname as part, whole.relname as whole, part.relkind as kind, part.reltuples <= 0 as empty
       from pg_inherits i join pg_class part on part.oid = i.inhrelid join pg_class whole on whole.oid = i.inhparent`,
  );
  const tables = rows.filter(({ kind }) => kind === 'r');
  return {
    indexes: new Map(rows.filter(({ kind }) => kind === 'i').map(({ part, whole }) => [part, whole])),
    tables: new Map(tables.map(({ part, whole }) => [part, whole])),
    empty: new Set(tables.filter(({ empty }) => empty).map(({ part }) => part)),
  };
}

/** The large tables that a call reads, each with its index or "all of it". Rolls back its writes. */
export async function indexesOf(source: DataSource, call: (ctx: Context) => Promise<unknown>): Promise<string[]> {
  const ways = new Set<string>();
  const parts = await partsOf(source);
  const note = ({
    'Node Type': node,
    'Relation Name': part = '',
    'Index Name': ofPart = '',
    Plans = [],
  }: Plan): void => {
    const table = parts.tables.get(part) ?? part;
    const index = parts.indexes.get(ofPart) ?? ofPart;
    if (
      table &&
      !parts.empty.has(part) &&
      !small.includes(table) &&
      node.includes('Scan') &&
      !node.includes('Bitmap')
    ) {
      ways.add(`${table} by ${index || 'all of it'}`);
    }
    if (node === 'Bitmap Index Scan') ways.add(`bitmap by ${index}`);
    Plans.forEach(note);
  };
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  // The runner's method also sees the queries that TypeORM makes for entities.
  const query = runner.query.bind(runner);
  runner.query = async (sql: string, parameters?: unknown[], ...rest: []): Promise<never> => {
    const [answer] = (await query(`explain (format json) ${sql}`, parameters)) as Explained;
    note(answer['QUERY PLAN'][0].Plan);
    return query(sql, parameters, ...rest) as Promise<never>;
  };
  try {
    await call({ ...aContext(runner.manager), actor: platformActor });
    return [...ways].sort();
  } finally {
    runner.query = query;
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** Of a statement that was executed eight times with a generic plan. */
export const planCounts = { custom: 0, generic: 8 };

/** The numbers of executions with custom and generic plans of a call's statements after eight calls on one connection. */
export async function plansIn(
  url: string,
  call: (ctx: Context) => Promise<unknown>,
): Promise<{ custom: number; generic: number }[]> {
  const one = await openDatabase({ url, applicationName: 'plans', poolSize: 1 });
  try {
    const ctx = { ...aContext(one.manager), actor: platformActor };
    for (let time = 0; time < 8; time += 1) await call(ctx);
    return await one.query(
      `select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements where name like 'once%'`,
    );
  } finally {
    await one.destroy();
  }
}
