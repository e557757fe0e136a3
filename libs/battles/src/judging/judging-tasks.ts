import type { Issue } from '@lensforge/contracts';
import { faultAgainstSchema, faultInOutputSchema } from '@lensforge/models';
import { ExpressionFault, requireCondition } from '@lensforge/workflows';
import { readTextExpression } from '@lensforge/workflows/sandboxed';
import type { Check, CheckResult } from './checks.js';
import { computeSimilarity } from './similarity.js';

// Tasks of the sandbox for checks.

/** The first fault of each check: in its pattern, schema or expression. */
const faultsInChecks = (checks: readonly Check[]): Issue[] =>
  checks.flatMap((check, index) => {
    const fault = faultIn(check);
    return fault ? [{ path: `${index}.${fault.path}`, message: fault.message }] : [];
  });

function faultIn(check: Check): Issue | undefined {
  switch (check.type) {
    case 'matches':
      return findFault('pattern', () => toRegExp(check));
    case 'json_schema': {
      const fault = faultInOutputSchema(check.schema);
      return fault && { path: fault.path.replace('outputSchema', 'schema'), message: fault.message };
    }
    case 'expression':
      return findFault('expression', () => readTextExpression(check.expression));
    default:
      return undefined;
  }
}

function findFault(path: string, read: () => unknown): Issue | undefined {
  try {
    read();
    return undefined;
  } catch (reason) {
    if (!(reason instanceof SyntaxError || reason instanceof ExpressionFault)) throw reason;
    return { path, message: reason.message };
  }
}

function runCheck({ check, text }: { check: Check; text: string }): CheckResult {
  switch (check.type) {
    case 'equals':
      return either(folded(text, check) === folded(check.value, check), 'equals the value', 'differs from the value');
    case 'contains':
      return either(
        folded(text, check).includes(folded(check.value, check)),
        'contains the value',
        'does not contain the value',
      );
    case 'matches':
      return either(toRegExp(check).test(text), 'matches the pattern', 'does not match the pattern');
    case 'json_schema':
      return checkJson(check.schema, text);
    case 'max_length': {
      const length = [...text].length;
      return either(length <= check.characters, ...both(`has ${length} characters, of ${check.characters} allowed`));
    }
    case 'similarity': {
      const similarity = computeSimilarity(text, check.value);
      const reason = `has the similarity ${similarity.toFixed(3)} with the value`;
      const { atLeast } = check;
      if (atLeast === undefined) return { score: similarity, reason };
      return either(similarity >= atLeast, ...both(`${reason}, of ${atLeast} required`));
    }
    case 'expression':
      return checkExpression(check.expression, text);
  }
}

const either = (passed: boolean, yes: string, no: string): CheckResult =>
  passed ? { score: 1, reason: yes } : { score: 0, reason: no };

const both = (reason: string): [string, string] => [reason, reason];

/** A text without the blanks around it, composed, and in lower case on request. */
function folded(text: string, { ignoreCase = false }: { ignoreCase?: boolean | undefined }): string {
  const composed = text.trim().normalize('NFC');
  return ignoreCase ? composed.toLowerCase() : composed;
}

const toRegExp = ({ pattern, ignoreCase = false }: { pattern: string; ignoreCase?: boolean | undefined }): RegExp =>
  new RegExp(pattern, ignoreCase ? 'iu' : 'u');

/** A code block that is the whole text. */
const codeBlock = /^```(?:json)?[ \t]*\r?\n([^]*)\n[ \t]*```$/i;

/** The text as JSON, with or without a code block around it. */
function readJson(text: string): { value: unknown } | undefined {
  const trimmed = text.trim();
  try {
    return { value: JSON.parse(codeBlock.exec(trimmed)?.[1] ?? trimmed) as unknown };
  } catch {
    return undefined;
  }
}

function checkJson(schema: Readonly<Record<string, unknown>>, text: string): CheckResult {
  const json = readJson(text);
  if (!json) return { score: 0, reason: 'is not JSON' };
  const fault = faultAgainstSchema(schema, json.value);
  return fault === undefined
    ? { score: 1, reason: 'is valid against the schema' }
    : { score: 0, reason: `is not valid against the schema: ${fault.toWellFormed()}` };
}

function checkExpression(expression: string, text: string): CheckResult {
  try {
    const json = readJson(text)?.value ?? null;
    const passed = requireCondition(readTextExpression(expression).evaluate({ text, json }));
    return either(passed, ...both(`makes the expression ${passed}`));
  } catch (reason) {
    if (!(reason instanceof ExpressionFault)) throw reason;
    return { score: 0, reason: `makes the expression fail: ${reason.message}` };
  }
}

export const judgingTasks = {
  faultsInChecks,
  runCheck,
};
export const tasks = judgingTasks;
