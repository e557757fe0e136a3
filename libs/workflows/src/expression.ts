import { isRecord } from '@lensforge/contracts';
import { Environment, Optional, type ParseResult } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { LRUCache } from 'lru-cache';
import { ExpressionFault, failedByAuthor } from './expression-fault.js';
import { type Analysis, analyseExpression } from './analyse-expression.js';

/** The variables of an expression; absent ones are empty. */
export interface Scope {
  /** The inputs of the run. */
  inputs?: Readonly<Record<string, unknown>> | undefined;
  /** Earlier nodes by id; a skipped node has the output null. */
  nodes?: Readonly<Record<string, NodeInScope>> | undefined;
  /** The inputs that edges pass to this node. */
  input?: Readonly<Record<string, unknown>> | undefined;
  run?: Readonly<Record<string, unknown>> | undefined;
  /** In the graph of a `map`: the item and its index from 0. */
  item?: unknown;
  index?: number | undefined;
}

export interface NodeInScope {
  output: unknown;
  status?: string | undefined;
  error?: { code: string; message: string } | null | undefined;
}

export const maxExpressionLength = 4000;
const maxResultBytes = 1_048_576;
const maxResultDepth = 32;
const maxFailureLength = 2000;

/** The variables of an expression about a text. */
export interface TextScope {
  text: string;
  /** The value of the text as JSON; null if it is not JSON. */
  json: unknown;
}

export interface Expression<S = Scope> extends Analysis {
  /** Its value as plain JSON. The time is not limited; outside of the sandbox evaluate provably cheap expressions only. */
  evaluate(scope: S): unknown;
}

const environment = new Environment({
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 2000, maxDepth: 64, maxListElements: 500, maxMapEntries: 200, maxCallArguments: 16 },
});
environment
  .registerFunction('json(dyn): string', (value: unknown) => JSON.stringify(toPlain(value)))
  .registerFunction('parseJson(string): dyn', parseJson)
  .registerFunction('fail(string): dyn', failByAuthor)
  .registerFunction('string.replace(string, string): string', replaceAll);
// Numbers of JSON are doubles and literals are ints, so arithmetic must accept both together.
for (const [sign, operate] of Object.entries({
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
})) {
  const handle = (a: number | bigint, b: number | bigint): number => operate(Number(a), Number(b));
  for (const pair of [`int ${sign} double`, `double ${sign} int`, ...(sign === '%' ? ['double % double'] : [])]) {
    environment.registerOperator(pair, handle);
  }
}

/** The size of the cache of parsed expressions in syntax tree nodes: about 20 MB. */
const maxCachedNodes = 50_000;

/** Parses expressions over the members of `absent`, which has the values of absent variables. */
class ExpressionReader<S extends object> {
  private readonly cache = new LRUCache<string, Expression<S>>({
    maxSize: maxCachedNodes,
    sizeCalculation: ({ size }) => size,
  });
  private readonly environment = environment.clone();

  constructor(private readonly absent: Readonly<Record<keyof S, unknown>>) {
    for (const name of Object.keys(absent)) this.environment.registerVariable(name, 'dyn');
  }

  cached(text: string): Expression<S> | undefined {
    return this.cache.get(text);
  }

  /** Parses in linear time. */
  read(text: string): Expression<S> {
    const known = this.cache.get(text);
    if (known) return known;
    if (text.length > maxExpressionLength) {
      throw new ExpressionFault('too_long', `is longer than ${maxExpressionLength} characters`);
    }
    let parsed: ParseResult;
    try {
      parsed = this.environment.parse(text);
    } catch (reason) {
      throw toExpressionFault(reason);
    }
    const analysis = analyseExpression(parsed.ast);
    const { valid, error } = parsed.check();
    if (!valid) throw toExpressionFault(error);
    const expression: Expression<S> = {
      ...analysis,
      evaluate: (scope) => {
        try {
          return toPlain(parsed({ ...this.absent, ...scope }) as unknown);
        } catch (reason) {
          throw toExpressionFault(reason);
        }
      },
    };
    this.cache.set(text, expression);
    return expression;
  }
}

const ofWorkflows = new ExpressionReader<Scope>({ inputs: {}, nodes: {}, input: {}, run: {}, item: null, index: null });
const ofTexts = new ExpressionReader<TextScope>({ text: '', json: null });

/** A parsed expression from the cache. */
export const cachedExpression = (text: string): Expression | undefined => ofWorkflows.cached(text);

/** Parses an expression in linear time. */
export const readExpression = (text: string): Expression => ofWorkflows.read(text);

/** Parses an expression about a text in linear time. */
export const readTextExpression = (text: string): Expression<TextScope> => ofTexts.read(text);

/** Evaluates an expression or throws ExpressionFault. The time is not limited: see `Expression.evaluate`. */
export const evaluate = (text: string, scope: Scope): unknown => readExpression(text).evaluate(scope);

/** Evaluates a condition, without a time limit. */
export const evaluateCondition = (text: string, scope: Scope): boolean => requireCondition(evaluate(text, scope));

/** The value of a condition; throws ExpressionFault unless it is true or false. */
export function requireCondition(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new ExpressionFault('not_a_condition', 'a condition must be true or false');
}

function toExpressionFault(reason: unknown): ExpressionFault {
  if (reason instanceof ExpressionFault) return reason;
  const { code, summary, message, range, cause } = reason as {
    code?: string;
    summary?: string;
    message?: string;
    range?: { start: number };
    cause?: unknown;
  };
  if (cause instanceof ExpressionFault) return cause;
  if (reason instanceof RangeError) return new ExpressionFault('too_deep', 'is nested too deeply');
  const position = range ? ` (at character ${range.start + 1})` : '';
  return new ExpressionFault(code ?? 'failed', `${summary ?? message ?? 'failed'}${position}`);
}

/** Converts the value of an expression to plain JSON. */
function toPlain(root: unknown): unknown {
  let size = 0;
  const visit = (value: unknown, depth: number): unknown => {
    if (depth > maxResultDepth)
      throw new ExpressionFault('too_deep', `its value is nested deeper than ${maxResultDepth}`);
    size += typeof value === 'string' ? value.length + 2 : 8;
    if (size > maxResultBytes)
      throw new ExpressionFault('too_large', `its value is larger than ${maxResultBytes} bytes`);
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return requireFinite(value);
      case 'bigint':
        return requireSafeInteger(value);
      case 'undefined':
        return null;
      case 'object':
        return value === null ? null : visitObject(value, depth);
      default:
        throw notRepresentable();
    }
  };
  const visitObject = (value: object, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((each) => visit(each, depth + 1));
    if (value instanceof Set) return [...value].map((each) => visit(each, depth + 1));
    if (value instanceof Map) return members([...value], (each) => visit(each, depth + 1));
    if (value instanceof Date) return toIsoTime(value);
    if (value instanceof UnsignedInt) return requireSafeInteger(value.value);
    if (value instanceof Duration) return value.toString();
    if (value instanceof Optional) return value.hasValue() ? visit(value.value(), depth) : null;
    if (value instanceof Uint8Array) return visit(Buffer.from(value).toString('base64'), depth);
    if (isPlainObject(value)) {
      return members(Object.entries(value), (each, name) => {
        size += name.length;
        return visit(each, depth + 1);
      });
    }
    throw notRepresentable();
  };
  return visit(root, 0);
}

const notRepresentable = (): ExpressionFault =>
  new ExpressionFault('not_a_value', 'its value cannot be represented in JSON');

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

function requireFinite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ExpressionFault('not_a_number', 'its value is not a finite number');
}

function requireSafeInteger(value: bigint): number {
  if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) return Number(value);
  throw new ExpressionFault(
    'numeric_overflow',
    'its value is an integer outside of the range that JSON represents exactly',
  );
}

function toIsoTime(value: Date): string {
  if (!Number.isNaN(value.getTime())) return value.toISOString();
  throw new ExpressionFault('not_a_value', 'its value is not a valid time');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ExpressionFault('not_json', 'parseJson: the text is not valid JSON');
  }
}

function failByAuthor(message: string): never {
  throw new ExpressionFault(failedByAuthor, message.slice(0, maxFailureLength));
}

function replaceAll(text: string, from: string, to: string): string {
  if (from === '') return text;
  if (text.length * to.length > maxResultBytes * from.length && text.split(from).length * to.length > maxResultBytes) {
    throw new ExpressionFault('too_large', `replace: its value is larger than ${maxResultBytes} bytes`);
  }
  return text.replaceAll(from, () => to);
}
