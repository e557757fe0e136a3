import { checkRedis } from '@lensforge/queue';
import { type Finding, fault, ok, warning } from './finding.js';

type Redis = Parameters<typeof checkRedis>[0];

const oldest = [6, 2] as const;

export async function checkRedisServer(redis: Redis, address: string): Promise<Finding[]> {
  const check = await checkRedis(redis).catch((error: unknown) => (error as Error).message);
  if (typeof check === 'string') return [fault('Redis', check)];
  if (!check.reachable) {
    const effect = 'Runs are accepted and wait until it answers';
    return [
      fault('Redis', `does not answer at ${address}. ${effect}. Start it, or correct REDIS_URL and its password`),
    ];
  }
  return [checkVersion(await redis.info('server')), ...check.warnings.map((text) => warning('Redis', text))];
}

function checkVersion(info: string): Finding {
  const findValue = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const valkey = findValue('valkey_version');
  if (valkey !== undefined) return ok('Redis', `Valkey ${valkey}`);
  const text = findValue('redis_version') ?? '0';
  const [major = 0, minor = 0] = text.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
    ? ok('Redis', `Redis ${text}`)
    : fault('Redis', `version ${text} is too old: use Redis 6.2 or later, or Valkey`);
}
