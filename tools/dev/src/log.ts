const levels = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof levels)[number];
export type About = Readonly<Record<string, unknown>>;

export interface Log {
  say(level: Level, message: string, about?: About): void;
  /** A log line of a service; `instance` names the replica. */
  pass(service: string, instance: string, line: string): void;
}

export interface LogOptions {
  /** `plain` has messages only, with the level of warnings and errors. */
  format: 'json' | 'pretty' | 'plain';
  write: (line: string) => void;
  /** The minimum level of the launcher's own log; default `info`. */
  least?: string | undefined;
}

const colours: Record<Level, number> = { debug: 90, info: 32, warn: 33, error: 31 };
const dim = (text: string): string => `\u001b[2m${text}\u001b[0m`;

function pretty(level: Level, message: string, about: About): string {
  const time = new Date().toISOString().slice(11, 23);
  const members = Object.entries(about).map(([name, value]) => dim(`${name}=${String(value)}`));
  return [dim(time), `\u001b[${colours[level]}m${level.padEnd(5)}\u001b[0m`, 'dev', message, ...members].join(' ');
}

const plain = (level: Level, message: string): string =>
  ['warn', 'error'].includes(level) ? `  ${level}: ${message}` : `  ${message}`;

const json = (level: Level, service: string, message: string, about: About): string =>
  JSON.stringify({ level, time: new Date().toISOString(), service, ...about, msg: message });

function named(service: string, instance: string, line: string): string {
  if (!line.startsWith('{')) return json('error', service, line, { instance });
  return instance === service ? line : `{"instance":${JSON.stringify(instance)},${line.slice(1)}`;
}

const isHeard = (level: Level, least: string): boolean =>
  least !== 'silent' &&
  levels.indexOf(level) >= ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].indexOf(least) - 1;

export const openLog = ({ format, write, least = 'info' }: LogOptions): Log => ({
  say: (level, message, about = {}) => {
    if (!isHeard(level, least)) return;
    if (format === 'plain') write(plain(level, message));
    else write(format === 'pretty' ? pretty(level, message, about) : json(level, 'dev', message, about));
  },
  pass: (service, instance, line) => {
    if (format === 'json') write(named(service, instance, line));
    else write(instance === service ? line : `${dim(`${instance} |`)} ${line}`);
  },
});

const memory = 500;

/** Also keeps the last lines, for later diagnosis. */
export function remembering(shown?: Log): { log: Log; recentLines: readonly string[] } {
  const recentLines: string[] = [];
  const remember = openLog({
    format: 'json',
    least: 'debug',
    write: (line) => {
      recentLines.push(line);
      if (recentLines.length > memory) recentLines.shift();
    },
  });
  return { log: shown ? both(remember, shown) : remember, recentLines };
}

/** Writes to two logs. */
export const both = (one: Log, other: Log): Log => ({
  say: (...words) => [one, other].forEach((each) => each.say(...words)),
  pass: (...words) => [one, other].forEach((each) => each.pass(...words)),
});

/** Leaves out the log lines of services. */
export const withoutServices = (log: Log): Log => ({
  say: (...words) => log.say(...words),
  pass: () => undefined,
});
