import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, destination, pino, stdTimeFunctions } from 'pino';
import { isError } from '../rest/is-error.js';
import { prettyLine } from './pretty-line.js';
import { withoutBreaks, withoutSecretMembers, withoutSecrets } from '@lensforge/core';

export type { Logger } from 'pino';

export interface LoggerOptions {
  service: string;
  level?: string;
  format?: 'json' | 'pretty';
  /** The destination of lines; standard output when absent. */
  to?: DestinationStream;
}

export interface ServiceLogger extends Logger {
  /** Writes buffered lines, before the process exits. It waits shortly for a reader of the output. */
  flushNow(): Promise<void>;
}

interface Sink extends DestinationStream {
  flushNow?(): Promise<void>;
}

const flushAfterMs = 20;
const flushBytes = 8192;
const flushPatienceMs = 500;

let output: Sink | undefined;

/** The standard output of the process; two buffers for it could break lines of each other. */
const standardOutput = (): Sink => (output ??= openStandardOutput());

/** Standard output with a short buffer: under load, one write for each line would double the cost of logging. */
function openStandardOutput(): Sink {
  const sink = destination({ dest: 1, sync: false, minLength: flushBytes });
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
    // The synchronous flush of the stream never returns when the reader of the output has ended.
    flushNow: () => Promise.race([new Promise<void>((resolve) => sink.flush(() => resolve())), pause(flushPatienceMs)]),
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
    flushNow: async () => sink.flushNow?.(),
  });
}

/** The members of an error that are safe to log; a database error, for example, also holds the row. */
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

/** Nest's logger: its start-up messages are written at debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log = (message: unknown, context?: string) => this.write('debug', message, context);
  debug = (message: unknown, context?: string) => this.write('debug', message, context);
  verbose = (message: unknown, context?: string) => this.write('trace', message, context);
  warn = (message: unknown, context?: string) => this.write('warn', message, context);
  fatal = (message: unknown, context?: string) => this.write('fatal', message, context);
  error = (message: unknown, stack?: string, context?: string) => this.write('error', message, context, stack);

  private write(
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
