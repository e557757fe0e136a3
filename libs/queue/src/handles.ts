import type { Job, QueueName } from '@lensforge/contracts';
import { Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

export const bullTransport = Symbol('bull');

/** The second argument of a job handler. */
export interface JobContext {
  readonly id: string;
  readonly name: string;
  readonly queue: QueueName;
  readonly requestId: string;
  /** The trace context of the handler's span; without tracing, the one the job came with. */
  readonly traceparent: string | undefined;
  readonly addedAt: Date;
  /** Aborted when the process stops before the job ends. */
  readonly signal: AbortSignal;
  /** False while other jobs wait for the place of this one, and when the queue is paused or the process stops. */
  mayContinue(): Promise<boolean>;
  /** Passes the place of this job to work that needs no job, when this one has ended. */
  continueWith(next: NextWork): void;
}

/** Work in the place of a job that has ended. */
export interface NextWork {
  id: string;
  requestId: string;
  traceparent: string | null;
  work: (place: JobContext) => Promise<void>;
}

/** Passes the original error to BullTransport; Nest would replace it by 'Internal server error'. */
@Catch()
class PassErrorsOn implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

type Handler = (payload: never, job: JobContext) => unknown;
type AcceptsPayload<P, H extends Handler> = P extends Parameters<H>[0] ? unknown : 'the payload of another job';

/** Marks the handler of a job: `method(payload, job: JobContext)`. A rejected promise fails the job. */
export function Handles<P extends object>(job: Job<P>) {
  return <H extends Handler>(
    target: object,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<H> & AcceptsPayload<P, H>,
  ): void => {
    const owner = `${target.constructor.name}.${String(method)}`;
    Payload()(target, method, 0);
    Ctx()(target, method, 1);
    MessagePattern(job.name, bullTransport, { owner })(target, method, descriptor);
    UseFilters(new PassErrorsOn())(target, method, descriptor);
  };
}
