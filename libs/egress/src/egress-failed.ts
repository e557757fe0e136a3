export type EgressFault =
  | 'url_not_allowed'
  | 'address_not_allowed'
  | 'dns_failed'
  | 'connect_failed'
  | 'connect_timeout'
  | 'tls_failed'
  | 'answer_timeout'
  | 'total_timeout'
  | 'connection_lost'
  | 'bad_answer'
  | 'answer_too_large'
  | 'canceled';

/** An outgoing call failed. */
export class EgressFailed extends Error {
  override name = 'EgressFailed';

  constructor(
    readonly fault: EgressFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const byCode: Readonly<Record<string, EgressFault>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'answer_timeout',
  UND_ERR_BODY_TIMEOUT: 'answer_timeout',
  UND_ERR_HEADERS_OVERFLOW: 'bad_answer',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad_answer',
  HTTPParserError: 'bad_answer',
  UND_ERR_SOCKET: 'connection_lost',
  UND_ERR_ABORTED: 'canceled',
  ABORT_ERR: 'canceled',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  ENOTFOUND: 'dns_failed',
  ENODATA: 'dns_failed',
  ESERVFAIL: 'dns_failed',
  EREFUSED: 'dns_failed',
  ETIMEOUT: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  ECONNREFUSED: 'connect_failed',
  EHOSTUNREACH: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  ETIMEDOUT: 'connect_timeout',
};

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/;

/** Converts errors of the resolver, the socket, TLS and the HTTP parser. */
export function toEgressFailed(error: unknown): EgressFailed {
  if (error instanceof EgressFailed) return error;
  const { code, message } = readErrorParts(error);
  return new EgressFailed(toEgressFault(code), message || code || 'The call failed.', { cause: error });
}

function toEgressFault(code: string): EgressFault {
  if (tlsCode.test(code)) return 'tls_failed';
  return byCode[code] ?? 'connection_lost';
}

interface ErrorParts {
  code: string;
  message: string;
}

// A socket that tried several addresses fails with an AggregateError; the first member has the reason.
function readErrorParts(error: unknown): ErrorParts {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error) };
  const { name, code, message, errors } = error as Partial<Record<'name' | 'code' | 'message' | 'errors', unknown>>;
  if (Array.isArray(errors) && errors.length > 0) return readErrorParts(errors[0]);
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return { code: text(code) || text(name), message: text(message) };
}
