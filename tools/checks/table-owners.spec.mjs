import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const list = (...paths) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...paths], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(root + file));
const textOf = (file) => readFileSync(root + file, 'utf8');
const packageOf = (file) => file.split('/').slice(0, 2).join('/');

const migrations = 'libs/database/src/migrations/';
const files = list('libs/*/src/*.ts', 'apps/*/src/*.ts').filter(
  (file) =>
    !/\.(spec|journey|faults|sample)\.ts$|\/testing\.ts$|^apps\/e2e\/|^libs\/(testing|sdk|embedded)\//.test(file) &&
    !file.startsWith(migrations),
);

const tables = new Set(
  list(`${migrations}*.ts`).flatMap((file) =>
    [...textOf(file).matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(([, table]) => table),
  ),
);

/** The tables of entities by the name of their class. */
const entities = new Map(
  files.flatMap((file) =>
    [...textOf(file).matchAll(/@Entity\('(\w+)'\)\s+export class (\w+)/g)].map(([, table, name]) => [name, table]),
  ),
);

/** The table of a call such as `ctx.db.update(Lens, …)`. */
const useByCall = (node) => {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression, name } = node.expression;
  const [first] = node.arguments;
  const isManager = /(^|\.)(db|manager)$/.test(expression.getText());
  const table = isManager && first && ts.isIdentifier(first) ? entities.get(first.text) : undefined;
  return table && { table, verb: name.text, isWrite: /^(insert|update|delete|upsert|save|remove)/.test(name.text) };
};

/** The tables that a text of SQL names behind a verb, and those of calls with entities; a default partition is its table. */
const verbs = /\b(insert into|update|delete from|from|join|using)\s+(\w+)/g;
const uses = files.flatMap((file) => {
  const found = [];
  const visit = (node) => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    for (const [, verb, name] of isText ? node.text.matchAll(verbs) : []) {
      const table = name.replace(/_other$/, '');
      if (tables.has(table)) found.push({ file, table, verb, isWrite: /^(insert|update|delete)/.test(verb) });
    }
    const call = useByCall(node);
    if (call) found.push({ file, ...call });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true));
  return found;
});

/** The package with the entity of a table, or else the only one that inserts rows. */
const owners = new Map(
  [...tables].flatMap((table) => {
    const byEntity = files.filter((file) => textOf(file).includes(`@Entity('${table}')`));
    const inserting = uses.filter((use) => use.table === table && use.verb === 'insert into').map(({ file }) => file);
    const packages = new Set((byEntity.length > 0 ? byEntity : inserting).map(packageOf));
    return packages.size === 1 ? [[table, [...packages][0]]] : [];
  }),
);

const foreign = uses.filter(({ file, table }) => (owners.get(table) ?? packageOf(file)) !== packageOf(file));

/** Files that change tables of other packages, with the reason. */
const writers = {
  'libs/agents/src/events/record-agent-event.ts': 'the log of an AI lenser is numbered by its row',
  'libs/byok/src/boxed-tables.ts': 'secrets for run-workers, whose master key is lost',
  'libs/byok/src/create-byok-key.ts': 'a key for an endpoint brings its models',
  'libs/communities/src/create-owned-community.ts': 'memberships are rights of accounts',
  'libs/communities/src/join-community.ts': 'memberships are rights of accounts',
  'libs/communities/src/remove-community.ts': 'a community is an account',
  'libs/communities/src/update-community.ts': 'a community is an account',
  'libs/communities/src/remove-member.ts': 'memberships are rights of accounts',
  'libs/communities/src/set-role.ts': 'memberships are rights of accounts',
  'libs/runs/src/retention/erase-closed-accounts.ts': 'erasure covers all packages',
  'libs/runs/src/retention/erased-records.sql.ts': 'erasure covers all packages',
  'libs/runs/src/schedules/schedule-rows.ts': 'the start of a schedule and its run share a commit',
};

/** Names and rights of accounts are part of most lists and checks. */
const readByAll = new Set(['accounts', 'memberships']);

/** Tables that packages read although they belong to others. Take a line away with its query. */
const readers = {
  // The state of the installation, tokens on the pages of sign-in, checks by operators.
  'apps/api-gateway': ['runs'],
  'apps/oauth': [
    'api_tokens',
    'audit_signing_keys',
    'master_key_fingerprints',
    'oauth_clients',
    'signing_keys',
    'users',
  ],
  'apps/operate': [
    'api_tokens',
    'audit_entries',
    'audit_heads',
    'audit_signed_heads',
    'credit_accounts',
    'master_key_fingerprints',
    'runs',
    'signing_keys',
    'users',
  ],
  'apps/run-worker': ['byok_keys', 'run_artifacts', 'runs'],
  // The state of the runs that an AI lenser or a battle has started, in one snapshot with its own rows.
  'libs/agents': [
    'agent_tool_calls',
    'ai_lensers',
    'battle_contenders',
    'byok_key_pairs',
    'byok_keys',
    'models',
    'node_waits',
    'runs',
  ],
  'libs/battles': ['ai_lensers', 'runs'],
  // The keys that have signed statements.
  'libs/audit': ['audit_signing_keys'],
  // The models of an endpoint.
  'libs/byok': ['models'],
  // The secret of a scorer with the key that opens it.
  'libs/evaluation': ['byok_key_pairs'],
  // The model of an AI lenser.
  'libs/identity': ['byok_keys', 'models'],
  // The versions that labels point at, in the reads of lenses and workflows.
  'libs/lenses': ['lens_label_moves', 'lens_labels'],
  // Models and keys of a run in the statement that claims or lists it; erasure covers all packages.
  'libs/runs': [
    'ai_lensers',
    'battles',
    'byok_keys',
    'lenses',
    'models',
    'run_scores',
    'sandbox_accounts',
    'schedule_ticks',
    'search_terms',
    'thread_messages',
    'threads',
    'users',
    'workflows',
  ],
  // The subjects of threads.
  'libs/threads': ['lenses', 'runs', 'workflows'],
  // The address for notices.
  'libs/webhooks': ['users'],
  'libs/workflows': ['workflow_labels'],
};

it('knows the owner of each table that packages change', () => {
  const unknown = uses.filter(({ table, isWrite }) => isWrite && !owners.has(table)).map(({ table }) => table);
  // The outbox is written by libs/database and by statements that end, admit and accept runs.
  expect([...new Set(unknown)]).toEqual(['outbox']);
});

it('packages change their own tables only', () => {
  const found = foreign.filter(({ isWrite }) => isWrite).map(({ file }) => file);
  expect([...new Set(found)].sort()).toEqual(Object.keys(writers).sort());
});

it('packages read no further tables of others', () => {
  const found = {};
  for (const { file, table, isWrite } of foreign) {
    if (!isWrite && !readByAll.has(table)) (found[packageOf(file)] ??= new Set()).add(table);
  }
  const sorted = Object.entries(found).map(([name, of]) => [name, [...of].sort()]);
  expect(Object.fromEntries(sorted)).toEqual(readers);
});
