import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

// The build for browsers is the checker itself; the usual entry point looks for a native program first.
const require = createRequire(import.meta.url);
const { checkSync } = require('recheck/lib/browser.js');
const { version } = require('recheck/package.json');

/** Limits of work instead of time, so that a busy machine gets the same verdicts. */
const limits = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  randomSeed: 1,
  recallLimit: -1,
  maxNFASize: 2000,
  maxIteration: 2,
  incubationLimit: 10_000,
  attackLimit: 100_000,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 40,
  mutationSize: 10,
  crossoverSize: 10,
};

const verdictsFile = fileURLToPath(new URL('slow-expressions.json', import.meta.url));
const rules = createHash('sha256').update(JSON.stringify({ version, limits })).digest('hex');

/** The recorded verdicts by expression, empty for what is fast; checking all of them takes half a minute. */
function readVerdicts() {
  try {
    const stored = JSON.parse(readFileSync(verdictsFile, 'utf8'));
    return stored.rules === rules ? stored.verdicts : {};
  } catch {
    return {};
  }
}

/** The regular expressions of a source file, as they are written, and the whole texts from which `new RegExp` makes others. */
export function expressionsIn(file, text) {
  const found = [];
  const visit = (node, isPart) => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    if (isPart && ts.isTaggedTemplateExpression(node) && ts.isNoSubstitutionTemplateLiteral(node.template))
      found.push(`/${node.template.rawText}/`);
    const isMade = ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
    ts.forEachChild(node, (child) => visit(child, isPart || isMade));
  };
  // The parents of nodes are not needed.
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false), false);
  return found;
}

/** True for an expression that can repeat a part without a limit; each attempt of another one reads few characters. */
const hasLoop = (expression) => /[*+]|\{\d+,\}/.test(expression);

/** The complexity of an expression whose time can grow faster than its input; undefined for the others. */
function checkComplexity(expression) {
  const end = expression.lastIndexOf('/');
  const { status, complexity, error } = checkSync(expression.slice(1, end), expression.slice(end + 1), limits);
  return status === 'safe' ? undefined : (complexity?.summary ?? `not known: ${error?.kind}`);
}

/** Returns a function like `complexityOf` which looks for a recorded verdict first; `record` writes what it was asked for. */
export function expressionChecker(recorded = readVerdicts()) {
  const verdicts = {};
  return {
    recorded,
    complexityOf: (expression) =>
      hasLoop(expression)
        ? (verdicts[expression] ??= recorded[expression] ?? checkComplexity(expression) ?? '') || undefined
        : undefined,
    record: () => {
      const sorted = Object.fromEntries(Object.entries(verdicts).sort(([one], [other]) => (one < other ? -1 : 1)));
      writeFileSync(verdictsFile, `${JSON.stringify({ rules, verdicts: sorted }, null, 2)}\n`);
    },
  };
}
