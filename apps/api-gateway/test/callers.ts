import { newId } from '@lensforge/core';
import type { Answer, Gateway } from './gateway.js';
import type { SignedInGateway } from './signed-in.js';

/** A client with one credential. */
export interface TestCaller {
  accountId: string;
  userId: string;
  token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  remove(path: string): Promise<Answer>;
}

export function callerOf(
  gateway: SignedInGateway,
  { accountId = '', userId = '', token }: { accountId?: string; userId?: string; token: string },
): TestCaller {
  return {
    accountId,
    userId,
    token,
    get: (path) => gateway.call('GET', path, { token }),
    post: (path, body) => gateway.call('POST', path, { token, ...(body !== undefined && { body }) }),
    put: (path, body) => gateway.call('PUT', path, { token, ...(body !== undefined && { body }) }),
    patch: (path, body) => gateway.call('PATCH', path, { token, body }),
    remove: (path) => gateway.call('DELETE', path, { token }),
  };
}

export async function aCaller(gateway: SignedInGateway): Promise<TestCaller> {
  const person = await gateway.aPerson();
  return callerOf(gateway, { ...person, token: gateway.sessionToken(person) });
}

export async function aCommunityOf(
  owner: TestCaller,
  {
    joinPolicy = 'open',
    members = {},
  }: { joinPolicy?: 'open' | 'invite'; members?: Record<string, TestCaller[]> } = {},
): Promise<string> {
  const body = { handle: `c-${newId()}`, displayName: 'Cheese makers', joinPolicy: 'open' };
  const id = String((await owner.post('/v1/communities', body)).body.data?.['id']);
  for (const [role, people] of Object.entries(members)) {
    for (const one of people) {
      await one.post(`/v1/communities/${id}/join`);
      if (role !== 'member') await owner.patch(`/v1/communities/${id}/members/${one.accountId}`, { role });
    }
  }
  if (joinPolicy === 'invite') await owner.patch(`/v1/communities/${id}`, { joinPolicy });
  return id;
}

export const outcome = ({ status, body }: Answer): [number, string | undefined] => [status, body.error?.code];
export const items = ({ body }: Answer): Record<string, unknown>[] => body.data as unknown as Record<string, unknown>[];

/** Reads all pages of a list. */
export async function allPages(
  get: TestCaller['get'],
  path: string,
  limit = 1,
): Promise<{ items: Record<string, unknown>[]; pages: number }> {
  const found: Record<string, unknown>[] = [];
  let cursor = '';
  for (let pages = 1; ; pages += 1) {
    const answer = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor && `&cursor=${cursor}`}`);
    found.push(...items(answer));
    const meta = answer.body.meta as { hasNextPage: boolean; nextCursor?: string; limit: number };
    if (meta.limit !== limit || meta.hasNextPage !== (meta.nextCursor !== undefined))
      throw new Error('the meta of a page is inconsistent');
    if (meta.nextCursor === undefined) return { items: found, pages };
    cursor = meta.nextCursor;
  }
}

/** Inserts copies of a row with new ids. */
export const copies = (gateway: Gateway, table: string, id: string, times: number): Promise<unknown> =>
  gateway.ctx.db.query(
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(
         'id', gen_random_uuid(), 'hash', '\\x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')))).*
       from ${table} t cross join generate_series(1, $2) where t.id = $1`,
    [id, times],
  );
