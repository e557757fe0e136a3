import { type Folder, type Program, findProgram, startProgram } from './programs.js';

/** Starts redis-server with these options, in the format of its command line. */
export function startRedisServer(folder: Folder, port: number, options: readonly string[]): Promise<Program> {
  const common = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];
  return startProgram({
    file: findProgram('redis-server') ?? '',
    args: [...common, '--dir', folder.path, '--dbfilename', `${port}.rdb`, ...options],
    port,
    folder,
  });
}

export const primaryPassword = 'a-long-phrase';
export const sentinelPassword = 'a-fine-phrase';

/** Starts a Sentinel that watches the primary at this port of loopback. */
export function startSentinel(folder: Folder, port: number, primary: number): Promise<Program> {
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder.path}`,
    `requirepass ${sentinelPassword}`,
    `sentinel sentinel-pass ${sentinelPassword}`,
    `sentinel monitor jobs 127.0.0.1 ${primary} 2`,
    `sentinel auth-pass jobs ${primaryPassword}`,
    'sentinel down-after-milliseconds jobs 1500',
    'sentinel failover-timeout jobs 10000',
  ];
  const file = folder.write(`sentinel-${port}.conf`, `${lines.join('\n')}\n`);
  return startProgram({ file: findProgram('redis-sentinel') ?? '', args: [file], port, folder });
}
