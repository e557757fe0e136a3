import type { Context } from '@lensforge/core';
import { announceProviders } from '@lensforge/models';
import type { Providers } from './providers.js';

export interface AnnouncementParts {
  db: Context['db'];
  providers: Providers;
  log: { warn(details: object, message: string): void };
}

/** Well within the time after which a provider that nobody speaks of is no longer offered. */
const everyMs = 30_000;

/** Says again and again which providers this worker can ask, so that their models are offered; gateways hold no keys. */
export class Announcement {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly parts: AnnouncementParts) {}

  start(): void {
    this.round = this.say().finally(() => {
      if (!this.stopped) this.timer = setTimeout(() => this.start(), everyMs);
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private async say(): Promise<void> {
    const { db, providers, log } = this.parts;
    try {
      await announceProviders(
        db,
        providers.own.filter((key) => key !== 'offline'),
      );
    } catch (err) {
      log.warn({ err }, 'the providers of this worker cannot be announced at the moment');
    }
  }
}
