import type { Platform } from '@lensforge/edge';
import { noteUses } from '@lensforge/lenses';
import type { GatewayEnvironment } from './environment.js';

const writeIntervalMs = 5000;

/** Counts executions of lenses in memory and stores them every few seconds; some may get lost. */
export class LensUses {
  private uses = new Map<string, number>();

  constructor(private readonly platform: Platform<GatewayEnvironment>) {
    const timer = setInterval(() => void this.write(), writeIntervalMs).unref();
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
    await noteUses(database.manager, uses).catch((reason: unknown) => {
      logger.warn({ err: reason, lenses: uses.size }, 'the uses of lenses could not be stored');
    });
  }
}
