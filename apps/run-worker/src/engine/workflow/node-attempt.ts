import type { HeldNode } from '@lensforge/runs';
import { LeasedWork } from '../attempt.js';

export class NodeAttempt extends LeasedWork {
  readonly runId: string;
  readonly name: string;

  constructor(
    readonly held: HeldNode,
    ...lease: ConstructorParameters<typeof LeasedWork>
  ) {
    super(...lease);
    this.runId = held.runId;
    this.name = `${held.runId} ${held.nodeKey} ${held.attempt}`;
  }
}
