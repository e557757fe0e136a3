/** Options of one call. */
export interface CallOptions {
  /** Ends the call, also between its attempts. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt with its body; that of the client when absent. */
  timeoutMs?: number | undefined;
  /** Attempts after the first; those of the client when absent. */
  maxRetries?: number | undefined;
  /** Headers that are added to those of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The key that makes a repeated call safe; a new one for each call when absent. */
  idempotencyKey?: string | undefined;
}

export interface WithResponse<T> {
  data: T;
  response: Response;
  requestId: string | undefined;
}

/** The result of a method: a promise of its data. */
export class Call<T> extends Promise<T> {
  /** The promises that `then` and its kind return are ordinary ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  private readonly answered: Promise<WithResponse<T>>;

  constructor(answered: Promise<WithResponse<T>>) {
    super((resolve) => resolve(answered.then(({ data }) => data)));
    this.answered = answered;
  }

  /** The data with the response and the id of the request. */
  withResponse(): Promise<WithResponse<T>> {
    this.catch(() => undefined);
    return this.answered;
  }
}
