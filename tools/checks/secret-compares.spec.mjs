import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'libs'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (file) => /\/src\/.*\.tsx?$/.test(file) && !/\.(spec|journey|faults)\.ts$|\/testing\.ts$|^apps\/e2e\//.test(file),
  );

/** Matches comparisons of secrets: the name of an operand ends with one of these words. */
const secret =
  /(secret|tokens?|digest|signature|hmac|mac|hash|passw(or)?d|verifier|challenge|csrf|seal(ed)?|fingerprint|apiKey)$/i;
const words = new RegExp(secret.source.replace('$', '\\b'), 'i');
const compared = /[=!]==?|\.(equals|compare|localeCompare)\(/;
const operators = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);
const methods = new Set(['equals', 'compare', 'localeCompare']);

/** Comparisons of values that are not secret or cannot be guessed repeatedly, each with its reason. */
const harmless = new Map([
  ["libs/audit/src/verify-audit.ts: auditHash(entry).toString('hex') !== hash", 'hash chains are no secret'],
  ['libs/audit/src/verify-audit.ts: saltedHash(salt, personal) !== row.details.personalHash', 'the same'],
  ['libs/audit/src/verify-audit.ts: entry.previousHash !== this.#hash', 'the same'],
  ['libs/audit/src/verify-audit.ts: headHash !== this.#hash', 'the same'],
  ['libs/audit/src/sign-audit-heads.ts: statementHash(found.statement) === seen.hash', 'the same'],
  ['libs/audit/src/verify-statements.ts: content.previous !== this.#hash', 'the same'],
  ['libs/audit/src/verify-statements.ts: headsDigest(heads) === content.digest', 'the same'],
  ['libs/audit/src/verify-statements.ts: read.content.hash !== this.#hash', 'the same'],
  ['libs/edge/src/boot/risks.ts: password === user', 'settings of this process, at its start'],
  ['libs/master-keys/src/check-master-key.ts: own.equals(fingerprint)', 'a fingerprint of a setting, at the start'],
  ['libs/runs/src/local/finish-local-run.ts: run.attempt !== leaseToken', 'the number of an attempt'],
  ['libs/runs/src/accept/accept-once.ts: fingerprint !== run.fingerprint', 'of a request, within its own account'],
]);

const nameOf = (node) => {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node)) return nameOf(node.argumentExpression);
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return nameOf(node.expression);
  if (ts.isCallExpression(node) || ts.isAwaitExpression(node)) return nameOf(node.expression);
  if (ts.isBinaryExpression(node)) return nameOf(node.left);
  return '';
};

/** Checks of existence and type are allowed. */
const isPlain = (node) =>
  ts.isLiteralExpression(node) ||
  ts.isTypeOfExpression(node) ||
  [ts.SyntaxKind.NullKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(node.kind) ||
  (ts.isIdentifier(node) && node.text === 'undefined');

function comparesIn(file, text) {
  const found = [];
  const visit = (node) => {
    const pair =
      ts.isBinaryExpression(node) && operators.has(node.operatorToken.kind)
        ? [node.left, node.right]
        : ts.isCallExpression(node) &&
            ts.isPropertyAccessExpression(node.expression) &&
            methods.has(node.expression.name.text)
          ? [node.expression.expression, ...node.arguments]
          : [];
    if (pair.some((side) => secret.test(nameOf(side))) && !pair.some(isPlain)) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  // A cheap check before parsing: operands are within two lines.
  const lines = text.split('\n');
  const near = (at) => lines.slice(Math.max(0, at - 2), at + 3).some((line) => words.test(line));
  if (!lines.some((line, at) => compared.test(line) && near(at))) return [];
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found.map((compare) => `${file}: ${compare}`);
}

it('the check of secret comparisons recognises them', () => {
  const lines = [
    'if (given === stored.secret) open();',
    'const same = digest.equals(other);',
    'return hashOf(token) !== row["hash"];',
    'signatures.filter((signature) => signature == expected)',
    'Buffer.compare(mac, expected) === 0',
  ];
  for (const line of lines) expect(comparesIn('x.ts', line)).toHaveLength(1);
  const fine = [
    'secret === undefined',
    'token !== null',
    'typeof secret === "string"',
    'timingSafeEqual(mac, expected)',
  ];
  for (const line of fine) expect(comparesIn('x.ts', line)).toEqual([]);
});

it('all secrets are compared in constant time', () => {
  expect(sources.length).toBeGreaterThan(400);
  const found = sources.flatMap((file) => comparesIn(file, readFileSync(root + file, 'utf8')));
  expect(found.filter((compare) => !harmless.has(compare))).toEqual([]);
  expect([...harmless.keys()].filter((compare) => !found.includes(compare))).toEqual([]);
});
