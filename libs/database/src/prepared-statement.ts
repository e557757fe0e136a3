import { createHash } from 'node:crypto';

const namePattern = /^\/\* (once_[0-9a-f]{16}) \*\/ /;
const statements = new Set<string>();

/**
 * Marks a statement to be prepared and planned once for each connection, because planning a large one takes several times as
 * long as running it. The plan is generic, and one from empty tables must also be right for full ones: for partitioned tables,
 * look up one row with `limit 1` and several with `id = any (array(select …))`. docs/adr/0018-plans-are-kept.md has the other
 * forms.
 */
export function preparedStatement(sql: string): string {
  const text = `/* once_${createHash('sha256').update(sql).digest('hex').slice(0, 16)} */ ${sql}`;
  statements.add(text);
  return text;
}

/** The prepared statements of all loaded modules. */
export const preparedStatements: ReadonlySet<string> = statements;

/** The name of the prepared statement; undefined for a plain statement. */
export const statementName = (sql: string): string | undefined =>
  sql.startsWith('/* once_') ? namePattern.exec(sql)?.[1] : undefined;
