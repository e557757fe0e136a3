import type { Platform } from '@lensforge/edge';
import { addLensUses } from '@lensforge/lenses';
import type { GatewayEnvironment } from './environment.js';

const everyMs = 5000;

/** Counts executions in memory and writes them down now and then: popularity is no bookkeeping. */
export class LensUses {
  private uses = new Map<string, number>();

  constructor(private readonly platform: Platform<GatewayEnvironment>) {
    const timer = setInterval(() => void this.write(), everyMs).unref();
    platform.drain.onDrain('lens uses', async () => {
      clearInterval(timer);
      await this.write();
    });
  }

  add(lensId: string): void {
    const id = lensId.toLowerCase();
    this.uses.set(id, (this.uses.get(id) ?? 0) + 1);
  }

  private async write(): Promise<void> {
    const { database, logger } = this.platform;
    const uses = this.uses;
    this.uses = new Map();
    await addLensUses(database.manager, uses).catch((reason: unknown) => {
      logger.warn({ err: reason, lenses: uses.size }, 'uses of lenses were not counted');
    });
  }
}
