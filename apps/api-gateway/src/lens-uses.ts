import { type Platform, startPeriodicTask } from '@lensforge/edge';
import { addLensUses } from '@lensforge/lenses';
import type { GatewayEnvironment } from './environment.js';

const writeIntervalMs = 5000;

/** Counts executions of lenses in memory and writes the counts every few seconds; a lost count only affects popularity. */
export class LensUses {
  private uses = new Map<string, number>();

  constructor(private readonly platform: Platform<GatewayEnvironment>) {
    const options = { name: 'counting the uses of lenses', everyMs: writeIntervalMs, lastRound: true };
    startPeriodicTask(platform, options, () => this.write());
  }

  add(lensId: string): void {
    const id = lensId.toLowerCase();
    this.uses.set(id, (this.uses.get(id) ?? 0) + 1);
  }

  private async write(): Promise<void> {
    const uses = this.uses;
    this.uses = new Map();
    await addLensUses(this.platform.database.manager, uses);
  }
}
