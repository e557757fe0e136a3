import type { AccountRateClass } from '@lensforge/contracts';
import { integer } from '@lensforge/contracts';
import { PlatformEnvironment } from '../boot/environment.js';

const aMinute = { min: 1, max: 1_000_000 } as const;

/** Requests whose caller could not be identified, counted for each network. */
export const unauthenticated = 'unauthenticated';

export type CountedClass = AccountRateClass | typeof unauthenticated;

/** The limits of services that count what an account does. They share the counts, so the settings must be the same. */
export class RateEnvironment extends PlatformEnvironment {
  @integer({ ...aMinute, description: 'Reads of one thing a minute and account, and what local runners send.' })
  LENSFORGE_RATE_READ_PER_MINUTE = 6000;

  @integer({ ...aMinute, description: 'Pages of lists a minute and account.' })
  LENSFORGE_RATE_LIST_PER_MINUTE = 300;

  @integer({ ...aMinute, description: 'Changes a minute and account.' })
  LENSFORGE_RATE_WRITE_PER_MINUTE = 600;

  @integer({
    ...aMinute,
    description: 'Things made a minute and account: lenses, workflows, tokens, webhooks and others.',
  })
  LENSFORGE_RATE_CREATE_PER_MINUTE = 120;

  @integer({ ...aMinute, description: 'Searches, differences, dry runs, exports and imports a minute and account.' })
  LENSFORGE_RATE_EXPENSIVE_PER_MINUTE = 60;

  @integer({ ...aMinute, description: 'Executions of lenses a minute and account, wherever they are accepted.' })
  LENSFORGE_RATE_EXECUTE_PER_MINUTE = 100;

  @integer({ ...aMinute, description: 'Workflow runs a minute and account, wherever they are accepted.' })
  LENSFORGE_RATE_RUN_PER_MINUTE = 60;

  @integer({ ...aMinute, description: 'Tests of keys and webhooks, redeliveries and replays a minute and account.' })
  LENSFORGE_RATE_TEST_PER_MINUTE = 30;

  @integer({
    ...aMinute,
    description: 'Requests a minute and network whose token is missing, unknown, expired or revoked.',
  })
  LENSFORGE_RATE_UNAUTHENTICATED_PER_MINUTE = 300;

  /** Requests a minute by class, for RateLimits. */
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
