import type { NodeState } from '@lensforge/runs';

/** The nodes of a run with the changes of a decision; the snapshot itself stays unchanged until the commit. */
export class NodeChanges {
  readonly changed = new Map<string, NodeState>();
  private added = 0;

  constructor(private readonly before: ReadonlyMap<string, NodeState>) {}

  get size(): number {
    return this.before.size + this.added;
  }

  get(key: string): NodeState | undefined {
    return this.changed.get(key) ?? this.before.get(key);
  }

  has(key: string): boolean {
    return this.changed.has(key) || this.before.has(key);
  }

  set(key: string, node: NodeState): void {
    if (!this.has(key)) this.added += 1;
    this.changed.set(key, node);
  }

  /** All nodes, including nodes that are added during the iteration. */
  *[Symbol.iterator](): Generator<[string, NodeState]> {
    for (const [key, node] of this.before) yield [key, this.changed.get(key) ?? node];
    for (const [key, node] of this.changed) if (!this.before.has(key)) yield [key, node];
  }
}
