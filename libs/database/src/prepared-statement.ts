import { createHash } from 'node:crypto';

const form = /^\/\* (once_[0-9a-f]{16}) \*\/ /;
const known = new Set<string>();

/**
 * A statement that each connection has planned once and for all: planning a large one takes several times as long as
 * carrying it out. A plan that was made when the tables were empty has to be the right one when they are full.
 *
 * PostgreSQL keeps a plan for all values when that looks no dearer than planning anew. Of tables that are kept by the
 * month it looks so, as it could be about any of them: look one row up with `limit 1`, and several with
 * `id = any (array(select …))`. docs/adr/0018-plans-are-kept.md has the other forms.
 */
export function preparedStatement(sql: string): string {
  const text = `/* once_${createHash('sha256').update(sql).digest('hex').slice(0, 16)} */ ${sql}`;
  known.add(text);
  return text;
}

/** All such statements of the modules that are loaded. */
export const preparedStatements: ReadonlySet<string> = known;

/** The name under which a connection keeps the plan; undefined for a statement that is planned each time. */
export const statementName = (sql: string): string | undefined =>
  sql.startsWith('/* once_') ? form.exec(sql)?.[1] : undefined;
