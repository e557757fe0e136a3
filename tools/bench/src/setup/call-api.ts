import type { Platform } from '@lensforge/dev';

/** Sends a request of the second demo user, who has no webhook endpoint, and returns `data` of the response. */
export async function callApi<T>(platform: Platform, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${platform.urlOf('api-gateway')}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${platform.tokens['developer2'] ?? ''}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: T }).data;
}
