import type { McpAuth, McpAuthRequest } from '@lensforge/contracts';
import { badInput } from '@lensforge/core';
import type { BoxContext } from '@lensforge/vault';

/** The secrets of a server, sealed as JSON. */
export interface McpSecret {
  headerValue?: string;
  clientSecret?: string;
  refreshToken?: string;
  accessToken?: string;
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt?: number;
  /** The resource parameter of token requests; the address of the server when absent. */
  resource?: string;
  /** The client authenticates in the body of token requests. */
  isInBody?: boolean;
}

export interface ServerAuth {
  auth: McpAuth;
  /** Undefined without secrets. */
  secret: McpSecret | undefined;
}

/** The data that the secrets of a server are bound to: its row, account and address. */
export const secretBinding = ({ id, accountId, url }: { id: string; accountId: string; url: string }): BoxContext => [
  'mcp_servers',
  id,
  accountId,
  url,
];

type Member = Exclude<keyof McpAuthRequest, 'kind'>;

const members: Readonly<Record<McpAuthRequest['kind'], readonly Member[]>> = {
  none: [],
  header: ['headerName', 'headerValue'],
  oauth: ['grantType', 'clientId', 'clientSecret', 'refreshToken', 'tokenUrl', 'scope'],
};

/** Headers that belong to the protocol or the connection. */
const reserved =
  /^(accept|accept-encoding|connection|content-.*|expect|host|keep-alive|last-event-id|mcp-.*|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Separates the settings of an authentication from its secrets; throws for members that are missing or do not belong to it. */
export function readAuth(request: McpAuthRequest = { kind: 'none' }): ServerAuth {
  const { kind, headerName, headerValue, grantType, clientId, clientSecret, refreshToken, tokenUrl, scope } = request;
  const foreign = Object.values(members)
    .flat()
    .find((name) => request[name] !== undefined && !members[kind].includes(name));
  if (foreign) throw badInput(`auth.${foreign}`, `does not belong to the kind ${kind}: leave it out`);
  if (kind === 'none') return { auth: { kind }, secret: undefined };
  if (kind === 'header') {
    requireMembers(request, ['headerName', 'headerValue']);
    if (reserved.test(headerName ?? ''))
      throw badInput('auth.headerName', 'belongs to the protocol: choose another one');
    return { auth: { kind, headerName: headerName ?? '' }, secret: { headerValue: headerValue ?? '' } };
  }
  requireMembers(request, ['grantType', 'clientId']);
  if (grantType === 'client_credentials') requireMembers(request, ['clientSecret']);
  if (grantType === 'refresh_token') requireMembers(request, ['refreshToken']);
  else if (refreshToken !== undefined) throw badInput('auth.refreshToken', `cannot be given for ${grantType ?? kind}`);
  if (tokenUrl !== undefined) requireUrl('auth.tokenUrl', tokenUrl);
  return {
    auth: { kind, ...given({ grantType, clientId, tokenUrl, scope }) },
    secret: given({ clientSecret, refreshToken }),
  };
}

function requireMembers(request: McpAuthRequest, names: readonly Member[]): void {
  const missing = names.find((name) => request[name] === undefined);
  if (missing) throw badInput(`auth.${missing}`, `is required for ${request.grantType ?? request.kind}`);
}

/** Checks an address of a server. Each call checks that it is public, because the DNS record of a name may change. */
export function requireUrl(path: string, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw badInput(path, 'must be an https:// address');
  if (url.username || url.password || url.hash)
    throw badInput(path, 'must not carry a user name, a password or a fragment');
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
