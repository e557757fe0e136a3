import { ApiError, ConnectionError, UnauthorizedError } from '@lensforge/sdk';
import { texts } from '../texts';

/** The message of an error for a person. */
export function describeFault(error: unknown): string {
  if (error instanceof ConnectionError) return texts.faults.connection;
  if (error instanceof UnauthorizedError) return texts.faults.signedOut;
  return error instanceof Error ? error.message : String(error);
}

/** An error in place of a view, with the request id that a log can be searched for. */
export function Fault({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const status = error instanceof ApiError ? error.status : undefined;
  return (
    <div className="state fault" role="alert">
      <strong>
        {status === 403 ? texts.faults.forbidden : status === 404 ? texts.faults.missing : texts.faults.title}
      </strong>
      <p>{describeFault(error)}</p>
      {requestId !== undefined && (
        <p className="quiet">
          {texts.faults.requestId} <code>{requestId}</code>
        </p>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {texts.again}
        </button>
      )}
    </div>
  );
}
