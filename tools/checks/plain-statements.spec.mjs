import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'libs/*/src/*.ts'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('.spec.ts') && existsSync(root + file));
const textOf = (file) => readFileSync(root + file, 'utf8');
const packageOf = (file) => file.split('/')[1];

const entities = new Set(
  files.flatMap((file) =>
    [...textOf(file).matchAll(/@Entity\('(\w+)'\)/g)].map(([, table]) => packageOf(file) + table),
  ),
);

/** Files whose plain statements stay SQL, with the reason. */
const exceptions = {
  'libs/battles/src/write-battle.ts':
    'its JSON is written by users, and TypeORM would not replace what PostgreSQL refuses',
  'libs/runs/src/execute/run-leases.ts': 'part of each run',
  'libs/runs/src/nodes/node-leases.ts': 'part of each node',
  'libs/runs/src/nodes/reserve-for-node.ts': 'part of each node',
};

const value = String.raw`(?:\$\d+|now\(\)|null|true|false|\d+|'[^']*')`;
const condition = String.raw`(?:\w+ (?:= ${value}|is null|is not null)|(?:not )?\w+)`;
const column = String.raw`[a-z_]+(?: as "\w+")?`;
const where = `where ${condition}(?: and ${condition})*`;
const plainForms = [
  String.raw`insert into \w+ \([^()]*\) values \(${value}(?:, ${value})*\)`,
  String.raw`update \w+ set \w+ = ${value}(?:, \w+ = ${value})* ${where}`,
  `delete from \\w+ ${where}`,
  String.raw`select ${column}(?:, ${column})* from \w+ ${where}`,
].map((form) => new RegExp(`^${form}$`));

/** The table of a plain statement on one table; undefined for SQL that TypeORM would not say as well. */
const plainTable = (sql) => {
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  if (!plainForms.some((form) => form.test(text))) return undefined;
  return /^(?:insert into|update|delete from|select [^()]* from) (\w+)/.exec(text)?.[1];
};

const plainStatements = (file) => {
  const found = [];
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.name?.text === 'query') {
      const [sql, parameters] = node.arguments;
      // JSON that users write is not plain either.
      const isPlain = sql && ts.isStringLiteralLike(sql) && !parameters?.getText(source).includes('toJsonb(');
      const table = isPlain ? plainTable(sql.text) : undefined;
      if (table !== undefined && entities.has(packageOf(file) + table)) found.push(`${file}: ${sql.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

it.each([
  ['insert into lenses (id, title) values ($1, $2)', 'lenses'],
  ['update lenses set title = $2, updated_at = now() where id = $1 and deleted_at is null', 'lenses'],
  ['delete from lenses where id = $1', 'lenses'],
  ['select title, status from lenses where id = $1', 'lenses'],
  ['select title from lenses where id = $1 for update', undefined],
  ['update lenses set version = version + 1 where id = $1', undefined],
  ['update lenses set title = $2 where id = $1 returning title', undefined],
])('knows which statements are plain: %s', (sql, table) => expect(plainTable(sql)).toBe(table));

it('plain reads and writes of a table with an entity are calls of TypeORM', () => {
  expect(files.filter((file) => !(file in exceptions)).flatMap(plainStatements)).toEqual([]);
});
