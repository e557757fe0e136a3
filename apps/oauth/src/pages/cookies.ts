import type { FastifyReply, FastifyRequest } from 'fastify';

/** With TLS the prefix makes browsers refuse a cookie that was set by another host or over plain http. */
export const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name);

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

export interface CookieTraits {
  secure: boolean;
  /** Without it, the cookie lasts until the browser is closed. */
  until?: Date;
}

export function setCookie(reply: FastifyReply, name: string, value: string, { secure, until }: CookieTraits): void {
  const parts = [
    `${cookieName(name, secure)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    secure && 'Secure',
    until && `Expires=${until.toUTCString()}`,
  ];
  // Fastify collects repeated values of this header in a list.
  reply.header('set-cookie', parts.filter(Boolean).join('; '));
}

export const clearCookie = (reply: FastifyReply, name: string, secure: boolean): void =>
  setCookie(reply, name, '', { secure, until: new Date(0) });
