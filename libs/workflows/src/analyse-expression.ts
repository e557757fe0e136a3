import type { ASTNode } from '@marcbachmann/cel-js';
import { ExpressionFault } from './expression-fault.js';

/** What can be said of an expression without a scope. */
export interface Analysis {
  /** The ids of the nodes that it refers to. */
  readonly nodes: readonly string[];
  /** Whether it refers to `item` or `index`. */
  readonly usesItem: boolean;
  /** The members of the scope that it reads, such as `['inputs', 'text']`, each with all that is in it. */
  readonly paths: readonly (readonly string[])[];
  /** How its cost grows with the size of what it reads; undefined when no bound is known. */
  readonly growth: Growth | undefined;
  /** Nodes of its syntax tree. */
  readonly size: number;
}

export interface Growth {
  /** Operations whose time is in proportion to what they are given. */
  linear: number;
  /** The factor by which a value can become larger than what is read. */
  factor: number;
}

const mostLoopsWithin = 3;
const loops = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'optMap', 'optFlatMap']);
const roots = new Set(['inputs', 'nodes', 'input', 'run', 'item', 'index']);
const linearOperators = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '+']);
/** Their time and their result are in proportion to what they are given. */
const linearFunctions = new Set([
  ...['size', 'startsWith', 'endsWith', 'contains', 'lowerAscii', 'upperAscii', 'trim', 'indexOf', 'lastIndexOf'],
  ...['substring', 'double', 'int', 'uint', 'string', 'bool', 'dyn', 'timestamp', 'duration', 'has'],
  ...['hasValue', 'value', 'orValue', 'or', 'of', 'none'],
]);
/** Their result can be several times as large as what they are given. */
const growingFunctions = new Set(['json', 'parseJson', 'replace', 'split', 'join']);
const growthOfFunctions = 16;
const longestFiller = 8;

/** Refuses what no expression may say, and finds what it reads and how much it may cost. */
export function analyseExpression(root: ASTNode): Analysis {
  return new Analysing().all(root);
}

class Analysing {
  private readonly nodes = new Set<string>();
  private readonly paths = new Map<string, readonly string[]>();
  private readonly bound: string[] = [];
  private usesItem = false;
  private size = 0;
  private linear = 0;
  private additions = 0;
  private growing = 0;
  private unbounded = false;

  all(root: ASTNode): Analysis {
    this.visit(root, 0);
    const { nodes, usesItem, paths, size, linear, additions, growing } = this;
    // A text that grew may grow again in the next function: two of them are left to the sandbox.
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

  /** `inputs.a["b"].c` is read as a whole; whatever cannot be told from the text alone is looked into. */
  private member(node: ASTNode, depth: number): void {
    const path = pathOf(node);
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
          'nodes: is followed by the id of a node, such as nodes.draft.output',
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
    if (inner > mostLoopsWithin) {
      throw new ExpressionFault('too_deep', `has more than ${mostLoopsWithin} loops within each other`);
    }
    // The value of `bind` does not know the variable yet; in loops all arguments behind it do.
    const [outside, inside] = isLoop ? [[], args.slice(1)] : [args.slice(1, 2), args.slice(2)];
    for (const arg of outside) this.visit(arg, depth);
    this.bound.push(variable.args);
    for (const arg of inside) this.visit(arg, inner);
    this.bound.pop();
  }
}

/** What is put between or in place of parts: with a long text in it the result could be of any size. */
function hasShortFiller(name: string, args: readonly ASTNode[]): boolean {
  if (name !== 'replace' && name !== 'join') return true;
  const filler = args.at(-1);
  if (filler === undefined) return name === 'join';
  return filler.op === 'value' && typeof filler.args === 'string' && filler.args.length <= longestFiller;
}

/** The names of a chain of members that begins at a name: undefined when a part of it is computed. */
function pathOf(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return [node.args];
  if (node.op !== '.' && node.op !== '.?' && node.op !== '[]' && node.op !== '[?]') return undefined;
  const [object, key] = node.args as [ASTNode, string | ASTNode];
  const name = typeof key === 'string' ? key : key.op === 'value' ? key.args : undefined;
  const before = pathOf(object);
  return before && typeof name === 'string' ? [...before, name] : undefined;
}
