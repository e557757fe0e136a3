export type Fetch = typeof globalThis.fetch;

/** The address and key of a provider. */
export interface Access {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  fetch: Fetch;
}

/** Access that also allows base URLs of users. */
export interface AccessForUsers extends Access {
  fetchForUsers: Fetch;
}
