import { BadEnvironment } from './read-environment.js';
import type { Platform } from './platform.js';

/** The members of `process` that runProcess uses. */
export interface ProcessLike {
  on(event: string, listener: (reason: unknown) => void): unknown;
  exit(code: number): void;
  stderr: { write(text: string): unknown };
}

interface Running {
  platform: Pick<Platform, 'logger'>;
  stop(): Promise<boolean>;
}

/**
 * Runs a service as this process: prints one message and exits with 1 when the start fails; drains on SIGTERM and SIGINT;
 * drains and exits with 1 after an uncaught error.
 */
export async function runProcess(
  name: string,
  start: () => Promise<Running>,
  host: ProcessLike = process,
): Promise<void> {
  let service: Running | undefined;
  let ending = false;

  const end = async (exitCode: number): Promise<void> => {
    if (ending) return;
    ending = true;
    const clean = (await service?.stop()) ?? true;
    service?.platform.logger.info({ clean }, 'stopped');
    await service?.platform.logger.flushNow();
    host.exit(clean ? exitCode : 1);
  };

  const failStart = (error: unknown): void => {
    host.stderr.write(`${name} cannot start: ${toMessage(error)}\n`);
    host.exit(1);
  };

  const crash = (err: unknown): void => {
    if (!service) {
      failStart(err);
      return;
    }
    service.platform.logger.fatal({ err }, 'uncaught error; the process ends');
    void end(1);
  };
  host.on('uncaughtException', crash);
  host.on('unhandledRejection', crash);

  for (const signal of ['SIGTERM', 'SIGINT']) {
    host.on(signal, () => {
      if (!service) {
        host.exit(0);
        return;
      }
      if (!ending) service.platform.logger.info({ signal }, 'stopping');
      void end(0);
    });
  }

  try {
    service = await start();
  } catch (error) {
    failStart(error);
  }
}

/** Names of errors whose message is meant for operators. */
const operatorErrors = new Set(['SchemaError', 'SealBroken', 'StartupError', 'UnsuitableRedis', 'WrongMasterKey']);

function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof BadEnvironment || operatorErrors.has(error.name)
    ? error.message
    : (error.stack ?? error.message);
}
