import type { LoggerService } from '@nestjs/common';
import type { DestinationStream, Logger } from 'pino';
import { destination, pino, stdTimeFunctions } from 'pino';
import { isError } from '../rest/is-error.js';
import { prettyLine } from './pretty-line.js';
import { withoutBreaks, withoutSecretMembers, withoutSecrets } from './redaction.js';

export type { Logger } from 'pino';

export interface LoggerOptions {
  service: string;
  level?: string;
  format?: 'json' | 'pretty';
  /** Where lines go; the standard output when left out. */
  to?: DestinationStream;
}

export interface ServiceLogger extends Logger {
  /** Writes what is still buffered; the last thing a process does. */
  flushNow(): void;
}

interface Sink extends DestinationStream {
  flushSync?(): void;
}

const flushAfterMs = 20;
const mostHeldBack = 8192;

/** Lines of the same moment leave in one write: under load a write for each costs as much as all else about a line. */
function standardOutput(): Sink {
  const sink = destination({ dest: 1, sync: false, minLength: mostHeldBack });
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    sink.flush();
  };
  return {
    write: (line) => {
      sink.write(line);
      timer ??= setTimeout(flush, flushAfterMs);
    },
    flushSync: () => sink.flushSync(),
  };
}

export function createLogger({ service, level = 'info', format = 'json', to }: LoggerOptions): ServiceLogger {
  const sink: Sink = to ?? standardOutput();
  const write =
    format === 'pretty' ? (line: string) => sink.write(prettyLine(line)) : (line: string) => sink.write(line);
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSecretMembers },
      serializers: { err: describeError, error: describeError },
    },
    { write: (line: string) => write(withoutBreaks(withoutSecrets(line))) },
  );
  return Object.assign(logger, {
    flushNow: () => sink.flushSync?.(),
  });
}

/** Only what is known to be harmless: a database error, for one, carries the row it stumbled over. */
export function describeError(error: unknown): unknown {
  if (!isError(error)) return error;
  const code: unknown = Reflect.get(error, 'code');
  return {
    type: error.name,
    message: error.message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack: error.stack,
    ...(error.cause instanceof Error && { cause: { type: error.cause.name, message: error.cause.message } }),
  };
}

/** Nest's own words at start-up are of interest only when something is wrong with them. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log = (message: unknown, context?: string) => this.say('debug', message, context);
  debug = (message: unknown, context?: string) => this.say('debug', message, context);
  verbose = (message: unknown, context?: string) => this.say('trace', message, context);
  warn = (message: unknown, context?: string) => this.say('warn', message, context);
  fatal = (message: unknown, context?: string) => this.say('fatal', message, context);
  error = (message: unknown, stack?: string, context?: string) => this.say('error', message, context, stack);

  private say(
    level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal',
    message: unknown,
    context?: string,
    stack?: string,
  ) {
    const about = { ...(context && { context }), ...(stack && { stack }) };
    if (message instanceof Error) this.logger[level]({ ...about, err: message }, message.message);
    else this.logger[level](about, typeof message === 'string' ? message : JSON.stringify(message));
  }
}
