import type { Context } from '@lensforge/core';
import type { HeldNode } from '@lensforge/runs';
import { extendNodeLeases, readNodePulses } from '@lensforge/runs';
import type { LeaseOptions } from '../leases.js';
import type { NodeAttempt } from './node-attempt.js';

const tickMs = 200;
const pulseMs = 1000;

const nameOf = ({ runId, nodeKey }: Pick<HeldNode, 'runId' | 'nodeKey'>): string => `${runId} ${nodeKey}`;

/** Keeps the leases of all nodes of this process with one statement, and finds out every second which shall stop. */
export class NodesInHand {
  private readonly held = new Map<string, NodeAttempt>();
  private timer: unknown;
  private beatAt = 0;
  private pulseAt = 0;

  constructor(
    private readonly db: Context['db'],
    private readonly options: LeaseOptions,
  ) {}

  get size(): number {
    return this.held.size;
  }

  get all(): readonly NodeAttempt[] {
    return [...this.held.values()];
  }

  hold(attempt: NodeAttempt): void {
    this.held.set(nameOf(attempt.held), attempt);
    this.arm();
  }

  drop(attempt: NodeAttempt): void {
    const name = nameOf(attempt.held);
    if (this.held.get(name) === attempt) this.held.delete(name);
  }

  /** Somebody says that a run shall stop; Postgres says whether its nodes are still ours. */
  look(runId: string): void {
    this.attend(
      this.all.filter(({ held }) => held.runId === runId),
      (held) => readNodePulses(this.db, held),
    );
  }

  lookAtAll(): void {
    this.attend(this.all, (held) => readNodePulses(this.db, held));
  }

  private arm(): void {
    if (this.timer || this.held.size === 0) return;
    this.timer = this.options.timing.after(tickMs, () => {
      this.timer = undefined;
      this.tick();
      this.arm();
    });
  }

  private tick(): void {
    const { timing, heartbeatMs, leaseMs } = this.options;
    const now = timing.now();
    if (now - this.beatAt >= heartbeatMs) {
      this.beatAt = this.pulseAt = now;
      this.attend(this.olderThan(heartbeatMs / 2, now), async (held) => {
        const ours = await extendNodeLeases(this.db, held, leaseMs);
        for (const node of ours) {
          const known = this.held.get(nameOf(node));
          if (known?.held.attempt === node.attempt) known.leaseFrom = Math.max(known.leaseFrom, now);
        }
        return ours;
      });
    } else if (now - this.pulseAt >= pulseMs) {
      this.pulseAt = now;
      this.attend(this.olderThan(pulseMs, now), (held) => readNodePulses(this.db, held));
    }
  }

  /** A node that was just taken, or has just had a beat, needs none. */
  private olderThan(ms: number, now: number): NodeAttempt[] {
    return this.all.filter(({ leaseFrom }) => now - leaseFrom >= ms);
  }

  private attend(attempts: readonly NodeAttempt[], ask: (held: HeldNode[]) => Promise<HeldNode[]>): void {
    if (attempts.length === 0) return;
    ask(attempts.map(({ held }) => held)).then((ours) => {
      const still = new Set(ours.map((node) => `${nameOf(node)} ${node.attempt}`));
      for (const attempt of attempts) {
        if (!still.has(`${nameOf(attempt.held)} ${attempt.held.attempt}`)) attempt.stop('lost');
      }
    }, this.options.onFault);
  }
}
