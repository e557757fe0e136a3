import {
  type ArgumentsHost,
  Catch,
  type DynamicModule,
  type ExceptionFilter,
  Module,
  type Provider,
  type Type,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PlatformEnvironment } from '../boot/environment.js';
import { Platform } from '../boot/platform.js';

/** Runs Nest on an existing Fastify, without Nest's own error pages, 404 handler and Express middleware. */
export class PlainFastifyAdapter extends FastifyAdapter {
  constructor(http: FastifyInstance) {
    super(http as never);
  }

  override init(): Promise<void> {
    return Promise.resolve();
  }

  override reply(...args: Parameters<FastifyAdapter['reply']>): ReturnType<FastifyAdapter['reply']> {
    const [response] = args;
    return 'request' in response && response.request.timedOut ? response : super.reply(...args);
  }

  override setErrorHandler(): never {
    return this.getInstance<never>();
  }

  override setNotFoundHandler(): never {
    return this.getInstance<never>();
  }
}

/** Passes errors of controllers to Fastify's error handler. */
@Catch()
export class ErrorForwarder implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (reply.request.timedOut) return;
    if (reply.sent || reply.raw.headersSent) {
      reply.log.error({ err: error }, 'request failed after its response had begun');
      reply.raw.destroy();
    } else {
      void reply.send(
        error instanceof Error ? error : new Error(`A value that is not an Error was thrown: ${String(error)}`),
      );
    }
  }
}

@Module({})
class Root {}

export type AppModule<E extends PlatformEnvironment> =
  | Type
  | ((platform: Platform<E>) => DynamicModule | Promise<DynamicModule>);

/** The service's module, with the platform as a global provider. */
export async function rootModule<E extends PlatformEnvironment>(
  platform: Platform<E>,
  module: AppModule<E>,
  parts: readonly Provider[] = [],
): Promise<DynamicModule> {
  const app = isClass(module) ? module : await module(platform);
  const providers = [{ provide: Platform, useValue: platform }, ...parts];
  return { module: Root, global: true, imports: [app], providers, exports: providers };
}

const isClass = (module: unknown): module is Type =>
  typeof module === 'function' && /^class\b/.test(Function.prototype.toString.call(module));
