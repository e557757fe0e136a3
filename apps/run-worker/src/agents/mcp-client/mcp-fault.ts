/** A server cannot be reached or used. The message is for its owner: it has no secrets. */
export class McpFault extends Error {
  override name = 'McpFault';
}

const maxLength = 400;

/** The message about a failed call for the owner of a server. Texts of the server are cut. */
export function faultMessage(reason: unknown): string {
  const causes = listCauses(reason);
  const known = causes.find(({ name }) => name === 'McpFault' || name === 'EgressFailed');
  if (known) return known.message;
  const status = causes.map(getStatus).find((each) => each !== undefined);
  if (status === 401 || status === 403)
    return `The server refuses the credentials (HTTP ${status}): replace auth of the MCP server`;
  if (status !== undefined) return `The server answered HTTP ${status}`;
  const message = causes[0]?.message ?? '';
  return `The server did not answer as the protocol says: ${cut(message, maxLength)}`;
}

/** True for a failure of the server or the way to it, false for one of this process or the database. */
export const isOfServer = (reason: unknown): boolean =>
  listCauses(reason).some(({ name }) =>
    /^(McpFault|EgressFailed|Sdk\w*Error|ProtocolError|\w*OAuth\w*Error|IssuerMismatchError|ZodError|SyntaxError|TypeError|AbortError)$/.test(
      name,
    ),
  );

function listCauses(reason: unknown): Error[] {
  const causes: Error[] = [];
  for (let each = reason; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each);
  return causes;
}

function getStatus(error: Error): number | undefined {
  const status: unknown = Reflect.get(error, 'status');
  return typeof status === 'number' ? status : undefined;
}

export const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max)}…`);
