import type { ASTNode } from '@marcbachmann/cel-js';
import { ExpressionFault } from './expression-fault.js';

/** The static analysis of an expression. */
export interface Analysis {
  /** The ids of referenced nodes. */
  readonly nodes: readonly string[];
  /** True when it refers to `item` or `index`. */
  readonly usesItem: boolean;
  /** The paths in the scope that it reads, such as `['inputs', 'text']`. */
  readonly paths: readonly (readonly string[])[];
  /** The growth of its cost with the size of its input; undefined when no bound is known. */
  readonly growth: Growth | undefined;
  /** The number of nodes in its syntax tree. */
  readonly size: number;
}

export interface Growth {
  /** The number of operations with linear time. */
  linear: number;
  /** The factor by which a value can exceed the size of the input. */
  factor: number;
}

const maxLoopDepth = 3;
const loops = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'optMap', 'optFlatMap']);
const roots = new Set(['inputs', 'nodes', 'input', 'run', 'item', 'index']);
const linearOperators = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '+']);
/** Functions with linear time and a result of linear size. */
const linearFunctions = new Set([
  ...['size', 'startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim', 'indexOf', 'lastIndexOf'],
  ...['substring', 'double', 'int', 'uint', 'string', 'bool', 'dyn', 'timestamp', 'duration', 'has'],
  ...['fail', 'hasValue', 'value', 'orValue', 'or', 'of', 'none'],
]);
/** Functions whose result can be several times as large as their arguments. */
const growingFunctions = new Set(['json', 'parseJson', 'replace', 'split', 'join']);
const growthOfFunctions = 16;
const maxFillerLength = 8;

/** Analyses a syntax tree; throws ExpressionFault for constructs that are not allowed. */
export function analyseExpression(root: ASTNode): Analysis {
  return new ExpressionAnalyser().analyse(root);
}

class ExpressionAnalyser {
  private readonly nodes = new Set<string>();
  private readonly paths = new Map<string, readonly string[]>();
  private readonly bound: string[] = [];
  private usesItem = false;
  private size = 0;
  private linear = 0;
  private additions = 0;
  private growing = 0;
  private unbounded = false;

  analyse(root: ASTNode): Analysis {
    this.visit(root, 0);
    const { nodes, usesItem, paths, size, linear, additions, growing } = this;
    // The second growing function multiplies the size again, so such expressions run in the sandbox.
    const growth =
      this.unbounded || growing > 1 ? undefined : { linear, factor: (1 + additions) * growthOfFunctions ** growing };
    return { nodes: [...nodes], usesItem, paths: [...paths.values()], growth, size };
  }

  private visit(node: ASTNode, depth: number): void {
    this.size += 1;
    if (linearOperators.has(node.op)) this.linear += 1;
    if (node.op === '+') this.additions += 1;
    switch (node.op) {
      case 'id':
      case '.':
      case '.?':
      case '[]':
      case '[?]':
        return this.member(node, depth);
      case 'rcall': {
        const [name, receiver, args] = node.args;
        this.visit(receiver, depth);
        return this.call(name, args, depth);
      }
      case 'call': {
        const [name, args] = node.args;
        return this.call(name, args, depth);
      }
      case 'value':
        return;
      case 'map':
        for (const pair of node.args) for (const each of pair) this.visit(each, depth);
        return;
      case '!_':
      case '-_':
        return this.visit(node.args, depth);
      default:
        for (const each of node.args) this.visit(each, depth);
    }
  }

  /** Records `inputs.a["b"].c` as one path; visits the parts of a chain with computed keys. */
  private member(node: ASTNode, depth: number): void {
    const path = toPath(node);
    const [root] = path ?? [];
    if (!path || root === undefined || this.bound.includes(root)) {
      if (node.op === 'id') return;
      const [object, key] = node.args as [ASTNode, string | ASTNode];
      this.visit(object, depth);
      if (typeof key !== 'string') this.visit(key, depth);
      return;
    }
    if (root === 'nodes') {
      if (path[1] === undefined) {
        throw new ExpressionFault(
          'bad_reference',
          'nodes must be followed by the id of a node, such as nodes.draft.output',
        );
      }
      this.nodes.add(path[1]);
    }
    if (root === 'item' || root === 'index') this.usesItem = true;
    if (roots.has(root)) this.paths.set(JSON.stringify(path), path);
  }

  private call(name: string, args: readonly ASTNode[], depth: number): void {
    this.linear += 1;
    if (growingFunctions.has(name)) {
      this.growing += 1;
      if (!hasShortFiller(name, args)) this.unbounded = true;
    } else if (!linearFunctions.has(name) && !name.startsWith('get')) {
      this.unbounded = true;
    }
    const [variable] = args;
    const isLoop = loops.has(name);
    if ((!isLoop && name !== 'bind') || variable?.op !== 'id') {
      for (const arg of args) this.visit(arg, depth);
      return;
    }
    const inner = isLoop ? depth + 1 : depth;
    if (inner > maxLoopDepth) {
      throw new ExpressionFault('too_deep', `has more than ${maxLoopDepth} nested loops`);
    }
    // The value of `bind` does not see the variable; in loops all later arguments do.
    const [outside, inside] = isLoop ? [[], args.slice(1)] : [args.slice(1, 2), args.slice(2)];
    for (const arg of outside) this.visit(arg, depth);
    this.bound.push(variable.args);
    for (const arg of inside) this.visit(arg, inner);
    this.bound.pop();
  }
}

/** True unless a long text is inserted, which makes the size of the result unbounded. */
function hasShortFiller(name: string, args: readonly ASTNode[]): boolean {
  if (name !== 'replace' && name !== 'join') return true;
  const filler = args.at(-1);
  if (filler === undefined) return name === 'join';
  return filler.op === 'value' && typeof filler.args === 'string' && filler.args.length <= maxFillerLength;
}

/** The names of a member chain; undefined when a part of it is computed. */
function toPath(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return [node.args];
  if (node.op !== '.' && node.op !== '.?' && node.op !== '[]' && node.op !== '[?]') return undefined;
  const [object, key] = node.args as [ASTNode, string | ASTNode];
  const name = typeof key === 'string' ? key : key.op === 'value' ? key.args : undefined;
  const before = toPath(object);
  return before && typeof name === 'string' ? [...before, name] : undefined;
}
