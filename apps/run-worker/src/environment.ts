import type { Issue } from '@lensforge/contracts';
import { flag, integer } from '@lensforge/contracts';
import { PlatformEnvironment } from '@lensforge/edge';

export class RunWorkerEnvironment extends PlatformEnvironment {
  @integer({ min: 1, max: 1000, description: 'Runs that this process executes at once.' })
  LENSFORGE_RUN_CONCURRENCY = 20;

  @integer({
    min: 1,
    max: 50,
    description: 'Runs that lost two workers are executed so many at once, each in a process.',
  })
  LENSFORGE_RUN_ISOLATED_CONCURRENCY = 2;

  @integer({ min: 1000, max: 600_000, description: 'How long a run stays with a worker that is not heard of.' })
  LENSFORGE_RUN_LEASE_MS = 12_000;

  @integer({ min: 100, max: 200_000, description: 'How often a worker is heard of.' })
  LENSFORGE_RUN_HEARTBEAT_MS = 3000;

  @integer({ min: 50, max: 60_000, description: 'How often each worker looks for runs that nobody ends.' })
  LENSFORGE_RECONCILE_MS = 1000;

  @integer({ min: 1000, max: 3_600_000, description: 'How often each worker looks whether what must never be is not.' })
  LENSFORGE_INVARIANTS_MS = 60_000;

  @flag({ description: 'Lets a prompt end the worker through the offline provider; for tests only.' })
  LENSFORGE_OFFLINE_EXIT = false;

  override faults(): Issue[] {
    const faults = super.faults();
    if (this.LENSFORGE_RUN_HEARTBEAT_MS * 2 > this.LENSFORGE_RUN_LEASE_MS) {
      const message = `must be at most half of LENSFORGE_RUN_LEASE_MS (${this.LENSFORGE_RUN_LEASE_MS}), or leases end by chance`;
      faults.push({ path: 'LENSFORGE_RUN_HEARTBEAT_MS', message });
    }
    if (this.production && this.LENSFORGE_OFFLINE_EXIT) {
      faults.push({ path: 'LENSFORGE_OFFLINE_EXIT', message: 'is not for production' });
    }
    return faults;
  }
}
