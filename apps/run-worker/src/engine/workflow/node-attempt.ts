import type { HeldNode } from '@lensforge/runs';
import { InHand } from '../attempt.js';

export class NodeAttempt extends InHand {
  readonly runId: string;
  readonly name: string;

  constructor(
    readonly held: HeldNode,
    ...kept: ConstructorParameters<typeof InHand>
  ) {
    super(...kept);
    this.runId = held.runId;
    this.name = `${held.runId} ${held.nodeKey} ${held.attempt}`;
  }
}
