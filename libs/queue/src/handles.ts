import type { Job, QueueName } from '@lensforge/contracts';
import { Catch, UseFilters } from '@nestjs/common';
import type { RpcExceptionFilter } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { Observable } from 'rxjs';
import { throwError } from 'rxjs';

export const bullTransport = Symbol('bull');

/** What a handler knows of its job besides the payload. */
export interface JobContext {
  readonly id: string;
  readonly name: string;
  readonly queue: QueueName;
  readonly requestId: string;
  /** Of the span in which the handler runs, or as it came when nobody traces. */
  readonly traceparent: string | undefined;
  readonly addedAt: Date;
  /** Aborted when the process must end before the job does. */
  readonly signal: AbortSignal;
}

/** Nest answers callers with 'Internal server error'; here the caller is the post, which wants the error itself. */
@Catch()
class PassErrorsOn implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

type Handler = (payload: never, job: JobContext) => unknown;
type Takes<P, H extends Handler> = P extends Parameters<H>[0] ? unknown : 'the payload of another job';

/** Marks the one handler of a job: `method(payload, job: JobContext)`. A rejected promise fails the job. */
export function Handles<P extends object>(job: Job<P>) {
  return <H extends Handler>(
    target: object,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<H> & Takes<P, H>,
  ): void => {
    const owner = `${target.constructor.name}.${String(method)}`;
    Payload()(target, method, 0);
    Ctx()(target, method, 1);
    MessagePattern(job.name, bullTransport, { owner })(target, method, descriptor);
    UseFilters(new PassErrorsOn())(target, method, descriptor);
  };
}
