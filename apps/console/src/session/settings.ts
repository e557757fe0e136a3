/** The addresses that the console uses, as the gateway that serves it says. */
export interface Settings {
  /** The address of the REST API and of this console. */
  api: string;
  /** The address of the oauth service. */
  signIn: string;
  /** The address of a trace, with {traceId}; undefined when traces have none. */
  trace?: string | undefined;
}

export async function readSettings(): Promise<Settings> {
  const response = await fetch('/console/settings.json');
  if (!response.ok) throw new Error(`The settings of the console cannot be read: status ${response.status}`);
  const given = (await response.json()) as Partial<Settings> & Pick<Settings, 'signIn'>;
  // The development server forwards requests to the API.
  const api = import.meta.env.DEV ? location.origin : (given.api ?? location.origin);
  return { api, signIn: given.signIn, trace: given.trace };
}
