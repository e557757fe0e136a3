import type { HttpFault } from '@lensforge/edge';

interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string };
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** The code of a run that ended without an answer, or that of the REST API. */
export function codeOf({ code, details = {} }: HttpFault): string {
  const own: unknown = details['code'];
  return typeof own === 'string' ? own : code;
}

/** An error in the shape of OpenAI, with our code. */
export function refusal(fault: HttpFault): OpenAiError {
  const { status, code, message, details = {} } = fault;
  const [issue] = (details['issues'] as { path?: string }[] | undefined) ?? [];
  return {
    error: {
      message,
      type:
        code === 'insufficient_credits'
          ? 'insufficient_quota'
          : (types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')),
      param: issue?.path ? issue.path : null,
      code: codeOf(fault),
    },
  };
}
