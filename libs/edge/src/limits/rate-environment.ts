import { type AccountRateClass, integer } from '@lensforge/contracts';
import { PlatformEnvironment } from '../boot/environment.js';
import { perMinute } from '../boot/setting-limits.js';

/** The rate class of requests without a valid credential, which are counted for each network. */
export const unauthenticated = 'unauthenticated';

export type CountedClass = AccountRateClass | typeof unauthenticated;

/** The rate limits of an account. Services share the counts, so these settings must be the same for all of them. */
export class RateEnvironment extends PlatformEnvironment {
  @integer({ ...perMinute, description: 'Reads of one resource, and calls of local runners, per minute and account.' })
  LENSFORGE_RATE_READ_PER_MINUTE = 6000;

  @integer({ ...perMinute, description: 'Pages of lists per minute and account.' })
  LENSFORGE_RATE_LIST_PER_MINUTE = 300;

  @integer({ ...perMinute, description: 'Changes per minute and account.' })
  LENSFORGE_RATE_WRITE_PER_MINUTE = 600;

  @integer({
    ...perMinute,
    description: 'Resources created per minute and account: lenses, workflows, tokens, webhooks and others.',
  })
  LENSFORGE_RATE_CREATE_PER_MINUTE = 120;

  @integer({ ...perMinute, description: 'Searches, diffs, dry runs, exports and imports per minute and account.' })
  LENSFORGE_RATE_EXPENSIVE_PER_MINUTE = 60;

  @integer({ ...perMinute, description: 'Executions of lenses per minute and account, over all services.' })
  LENSFORGE_RATE_EXECUTE_PER_MINUTE = 100;

  @integer({ ...perMinute, description: 'Workflow runs per minute and account, over all services.' })
  LENSFORGE_RATE_RUN_PER_MINUTE = 60;

  @integer({
    ...perMinute,
    description: 'Tests of keys and webhooks, redeliveries and replays per minute and account.',
  })
  LENSFORGE_RATE_TEST_PER_MINUTE = 30;

  @integer({
    ...perMinute,
    description: 'Requests per minute and network whose token is missing, unknown, expired or revoked.',
  })
  LENSFORGE_RATE_UNAUTHENTICATED_PER_MINUTE = 300;

  /** Requests per minute by class, for RateLimits. */
  get ratesPerMinute(): Readonly<Record<CountedClass, number>> {
    return {
      read: this.LENSFORGE_RATE_READ_PER_MINUTE,
      list: this.LENSFORGE_RATE_LIST_PER_MINUTE,
      write: this.LENSFORGE_RATE_WRITE_PER_MINUTE,
      create: this.LENSFORGE_RATE_CREATE_PER_MINUTE,
      expensive: this.LENSFORGE_RATE_EXPENSIVE_PER_MINUTE,
      execute: this.LENSFORGE_RATE_EXECUTE_PER_MINUTE,
      run: this.LENSFORGE_RATE_RUN_PER_MINUTE,
      test: this.LENSFORGE_RATE_TEST_PER_MINUTE,
      unauthenticated: this.LENSFORGE_RATE_UNAUTHENTICATED_PER_MINUTE,
    };
  }
}
