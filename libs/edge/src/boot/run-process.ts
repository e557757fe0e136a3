import { BadEnvironment } from './environment.js';
import type { Service } from './serve.js';

/** As much of `process` as is owned here. */
export interface Host {
  on(event: string, listener: (reason: unknown) => void): unknown;
  exit(code: number): void;
  stderr: { write(text: string): unknown };
}

type Running = Pick<Service, 'stop'> & { platform: Pick<Service['platform'], 'logger'> };

/**
 * Owns the process: one plain message and exit code 1 when the start fails, a drain on SIGTERM and SIGINT, and also on
 * what nobody caught, which then ends with 1.
 */
export async function runProcess(name: string, start: () => Promise<Running>, host: Host = process): Promise<void> {
  let service: Running | undefined;
  let ending = false;

  const end = async (exitCode: number): Promise<void> => {
    if (ending) return;
    ending = true;
    const clean = (await service?.stop()) ?? true;
    service?.platform.logger.info({ clean }, 'stopped');
    service?.platform.logger.flushNow();
    host.exit(clean ? exitCode : 1);
  };

  const refuse = (error: unknown): void => {
    host.stderr.write(`${name} cannot start: ${sentenceOf(error)}\n`);
    host.exit(1);
  };

  const crash = (err: unknown): void => {
    if (!service) {
      refuse(err);
      return;
    }
    service.platform.logger.fatal({ err }, 'nobody caught this; the process ends');
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
    refuse(error);
  }
}

/** Errors whose message is a sentence for the person who started the process. */
const plain = new Set(['CannotStart', 'SchemaError', 'SealBroken', 'UnfitRedis', 'WrongMasterKey']);

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof BadEnvironment || plain.has(error.name) ? error.message : (error.stack ?? error.message);
}
