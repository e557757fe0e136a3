import type { ClientBase } from 'pg';
import { SchemaError } from './schema-error.js';

export interface SessionSettings {
  /** In milliseconds. */
  timeouts: Readonly<Record<string, number>>;
  planner: Readonly<Record<string, string>>;
}

/** The settings of every session of a service. */
export const sessionSettings = (timeoutFactor: number): SessionSettings => ({
  timeouts: {
    statement_timeout: 5000 * timeoutFactor,
    lock_timeout: 2000 * timeoutFactor,
    idle_in_transaction_session_timeout: 10_000 * timeoutFactor,
  },
  // A generic plan must not use a sequential scan because the table was small at planning time, so these costs favour
  // indexes. JIT compilation takes longer than these short statements. docs/adr/0020-plans-on-any-server.md has figures.
  planner: { jit: 'off', random_page_cost: '1.1', seq_page_cost: '4' },
});

const pairs = ({ timeouts, planner }: SessionSettings): [name: string, value: string][] => [
  ...Object.entries(timeouts).map(([name, ms]): [string, string] => [name, `${ms}`]),
  ...Object.entries(planner),
];

/** Parameters that the driver sends when it connects. */
export const startupParameters = ({
  timeouts,
  planner,
}: SessionSettings): Readonly<Record<string, string | number>> => ({
  ...timeouts,
  options: Object.entries(planner)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
});

/** For a session that begins without startup parameters. */
export async function applySettings(client: ClientBase, settings: SessionSettings): Promise<void> {
  await client.query(
    pairs(settings)
      .map(([name, value]) => `set ${name} = ${value}`)
      .join('; '),
  );
}

/** The names of settings that a new session lacks. A timeout may have another value than ours, but not 0. */
export async function missingSettings(client: ClientBase, settings: SessionSettings): Promise<string[]> {
  const { rows } = await client.query<{ name: string; setting: string }>('select name, setting from pg_settings');
  const current = new Map(rows.map(({ name, setting }) => [name, setting]));
  return [
    ...Object.keys(settings.timeouts).filter((name) => Number(current.get(name)) === 0),
    ...Object.entries(settings.planner).flatMap(([name, value]) => (current.get(name) === value ? [] : [name])),
  ];
}

type Query = (sql: string) => Promise<unknown>;

/** Makes the settings of services the defaults of the current role in this database, for new connections. */
export async function limitRole(query: Query, timeoutFactor: number): Promise<void> {
  const statements = pairs(sessionSettings(timeoutFactor)).map(
    ([name, value]) =>
      `execute format('alter role current_user in database %I set ${name} = %L', current_database(), '${value}');`,
  );
  await query(`do $$ begin ${statements.join(' ')} end $$`).catch((reason: unknown) => {
    throw new SchemaError(`The limits of the role could not be set: ${String(reason)}`, { cause: reason });
  });
}
