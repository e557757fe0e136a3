import { describe, expect, it } from '@jest/globals';
import { PlatformEnvironment } from './environment.js';
import { readEnvironment } from './read-environment.js';
import { knownSettings } from './known-settings.js';
import { settingWarnings } from './setting-warnings.js';

const environment = readEnvironment(PlatformEnvironment, {
  PORT: '4000',
  DATABASE_URL: 'postgres://u:a-fine-phrase@db:5432/x',
  REDIS_URL: 'redis://r:6379',
});
const warnings = (source: Record<string, string | undefined>) => settingWarnings(environment, source);

describe('settingWarnings', () => {
  it.each([
    ['LENSFORGE_DRAIN_SM', 'LENSFORGE_DRAIN_MS'],
    ['LENSFORGE_MASTERKEY', 'LENSFORGE_MASTER_KEY'],
    ['LENSFORGE_MASTERKEY_FILE', 'LENSFORGE_MASTER_KEY'],
    ['LENSFORGE_RATE_EXECUTE_PER_MIN', 'LENSFORGE_RATE_EXECUTE_PER_MINUTE'],
  ])('reports the unknown setting %s with the most similar known one', (given, nearest) => {
    expect(warnings({ [given]: '1' })).toEqual([
      `${given} is not a setting of any service and has no effect; did you mean ${nearest}?`,
    ]);
  });

  it('reports an unknown setting alone when no known one is similar', () => {
    expect(warnings({ LENSFORGE_TYPO: '1', LENSFORGE_ENTIRELY_UNRELATED_WORDS: '1' })).toEqual([
      'LENSFORGE_ENTIRELY_UNRELATED_WORDS is not a setting of any service and has no effect',
      'LENSFORGE_TYPO is not a setting of any service and has no effect',
    ]);
  });

  it('accepts settings of all services, settings with _FILE, and variables of other programs', () => {
    const given = Object.fromEntries(
      knownSettings.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, 'x']),
    );
    expect(warnings({ ...given, PATH: '/bin', LENSFORGE_TYPO: undefined })).toEqual([]);
  });
});
