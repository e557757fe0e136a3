import { isRecord } from '@lensforge/contracts';
import type { ParseResult } from '@marcbachmann/cel-js';
import { Environment, Optional } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { LRUCache } from 'lru-cache';
import { ExpressionFault } from './expression-fault.js';
import type { Analysis } from './analyse-expression.js';
import { analyseExpression } from './analyse-expression.js';

/** What an expression of a workflow can speak of; members that are absent are empty. */
export interface Scope {
  /** What the run was started with. */
  inputs?: Readonly<Record<string, unknown>> | undefined;
  /** What the nodes before this one have come to; a skipped one is there with an output of null. */
  nodes?: Readonly<Record<string, NodeInScope>> | undefined;
  /** What edges bring to this node, under the names that they give it. */
  input?: Readonly<Record<string, unknown>> | undefined;
  run?: Readonly<Record<string, unknown>> | undefined;
  /** In the graph of a `map`: the item, and its place from 0. */
  item?: unknown;
  index?: number | undefined;
}

export interface NodeInScope {
  output: unknown;
  status?: string | undefined;
  error?: { code: string; message: string } | null | undefined;
}

export const maxExpressionLength = 4000;
const largestResult = 1_048_576;
const deepestResult = 32;

export interface Expression extends Analysis {
  /**
   * Its value as plain JSON. How long that takes depends on the scope, and nothing ends it: outside of the sandbox this is
   * for expressions that `costOf` proves cheap.
   */
  evaluate(scope: Scope): unknown;
}

const environment = new Environment({
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 2000, maxDepth: 64, maxListElements: 500, maxMapEntries: 200, maxCallArguments: 16 },
});
for (const name of ['inputs', 'nodes', 'input', 'run', 'item', 'index']) environment.registerVariable(name, 'dyn');
environment
  .registerFunction('json(dyn): string', (value: unknown) => JSON.stringify(toPlain(value)))
  .registerFunction('parseJson(string): dyn', parseJson)
  .registerFunction('string.replace(string, string): string', replaceAll);
// Numbers of JSON are doubles here and those of an expression are ints: arithmetic takes them together.
for (const [sign, act] of Object.entries({
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
})) {
  const handle = (a: number | bigint, b: number | bigint): number => act(Number(a), Number(b));
  for (const pair of [`int ${sign} double`, `double ${sign} int`, ...(sign === '%' ? ['double % double'] : [])]) {
    environment.registerOperator(pair, handle);
  }
}

/** What is kept of expressions that were read, as nodes of their syntax trees: some 20 MB. */
const mostNodesKept = 50_000;
const kept = new LRUCache<string, Expression>({ maxSize: mostNodesKept, sizeCalculation: ({ size }) => size });

/** An expression that was read before and is still at hand. */
export const cachedExpression = (text: string): Expression | undefined => kept.get(text);

/** Reads an expression, which takes time in proportion to its length. */
export function readExpression(text: string): Expression {
  const known = kept.get(text);
  if (known) return known;
  if (text.length > maxExpressionLength) {
    throw new ExpressionFault('too_long', `is longer than ${maxExpressionLength} characters`);
  }
  let parsed: ParseResult;
  try {
    parsed = environment.parse(text);
  } catch (reason) {
    throw faultOf(reason);
  }
  const analysis = analyseExpression(parsed.ast);
  const { valid, error } = parsed.check();
  if (!valid) throw faultOf(error);
  const expression: Expression = {
    ...analysis,
    evaluate: (scope) => {
      const full = { inputs: {}, nodes: {}, input: {}, run: {}, item: null, index: null, ...scope };
      try {
        return toPlain(parsed(full) as unknown);
      } catch (reason) {
        throw faultOf(reason);
      }
    },
  };
  kept.set(text, expression);
  return expression;
}

/** The value of an expression as plain JSON, or an ExpressionFault. Not limited in time: see `Expression.evaluate`. */
export const evaluate = (text: string, scope: Scope): unknown => readExpression(text).evaluate(scope);

/** Whether a condition holds. Limited as little as `evaluate`. */
export const evaluateCondition = (text: string, scope: Scope): boolean => conditionOf(evaluate(text, scope));

/** The value of a condition: anything but true or false is a fault. */
export function conditionOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new ExpressionFault('not_a_condition', 'a condition has to be true or false');
}

function faultOf(reason: unknown): ExpressionFault {
  if (reason instanceof ExpressionFault) return reason;
  const { code, summary, message, range, cause } = reason as {
    code?: string;
    summary?: string;
    message?: string;
    range?: { start: number };
    cause?: unknown;
  };
  if (cause instanceof ExpressionFault) return cause;
  if (reason instanceof RangeError) return new ExpressionFault('too_deep', 'goes too deep');
  const place = range ? ` (at character ${range.start + 1})` : '';
  return new ExpressionFault(code ?? 'failed', `${summary ?? message ?? 'failed'}${place}`);
}

/** JSON of whatever an expression has come to. */
function toPlain(root: unknown): unknown {
  let size = 0;
  const visit = (value: unknown, depth: number): unknown => {
    if (depth > deepestResult)
      throw new ExpressionFault('too_deep', `its value is nested deeper than ${deepestResult}`);
    size += typeof value === 'string' ? value.length + 2 : 8;
    if (size > largestResult) throw new ExpressionFault('too_large', `its value is larger than ${largestResult} bytes`);
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return finite(value);
      case 'bigint':
        return whole(value);
      case 'undefined':
        return null;
      case 'object':
        return value === null ? null : visitObject(value, depth);
      default:
        throw notJson();
    }
  };
  const visitObject = (value: object, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((each) => visit(each, depth + 1));
    if (value instanceof Set) return [...value].map((each) => visit(each, depth + 1));
    if (value instanceof Map) return members([...value], (each) => visit(each, depth + 1));
    if (value instanceof Date) return moment(value);
    if (value instanceof UnsignedInt) return whole(value.value);
    if (value instanceof Duration) return value.toString();
    if (value instanceof Optional) return value.hasValue() ? visit(value.value(), depth) : null;
    if (value instanceof Uint8Array) return visit(Buffer.from(value).toString('base64'), depth);
    if (isPlainObject(value)) {
      return members(Object.entries(value), (each, name) => {
        size += name.length;
        return visit(each, depth + 1);
      });
    }
    throw notJson();
  };
  return visit(root, 0);
}

const notJson = (): ExpressionFault => new ExpressionFault('not_a_value', 'its value is nothing that JSON could hold');

function members(
  entries: readonly (readonly [unknown, unknown])[],
  each: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const name = String(key);
      return [name, each(value, name)];
    }),
  );
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return isRecord(value) && (prototype === null || prototype === Object.prototype);
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ExpressionFault('not_a_number', 'its value is no finite number');
}

function whole(value: bigint): number {
  if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) return Number(value);
  throw new ExpressionFault('numeric_overflow', 'its value is a larger whole number than JSON keeps exactly');
}

function moment(value: Date): string {
  if (!Number.isNaN(value.getTime())) return value.toISOString();
  throw new ExpressionFault('not_a_value', 'its value is no point in time');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ExpressionFault('not_json', 'parseJson: the text is no JSON');
  }
}

function replaceAll(text: string, from: string, to: string): string {
  if (from === '') return text;
  if (text.length * to.length > largestResult * from.length && text.split(from).length * to.length > largestResult) {
    throw new ExpressionFault('too_large', `replace: its value is larger than ${largestResult} bytes`);
  }
  return text.replaceAll(from, () => to);
}
