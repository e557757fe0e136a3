import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { negotiateEncoding } from './header-values.js';
import { HttpFault } from './rest-errors.js';

export interface StaticFolder {
  /** The path of the folder in URLs, such as `/docs`. */
  path: string;
  /** The folder; its files are listed once. Without it, every path below is a 404 that says so. */
  folder: string;
  /** Directives of the content security policy that differ from `strictPolicy`. */
  policy?: Readonly<Record<string, string>>;
  /** Files that are cached for a year, because a new content has a new name; others are revalidated. */
  immutable?: RegExp;
  /** The page that browsers get for paths without a file, with status 200: for pages that route in the browser. */
  fallback?: string;
  /** The page that browsers get for paths without a file, with status 404. */
  notFound?: string;
}

/** Policy of pages that load files of their own origin, and no inline scripts or styles. */
export const strictPolicy: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

/** The headers of a page with a content security policy. */
export const documentHeaders = (policy: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'content-security-policy': Object.entries({ ...strictPolicy, ...policy })
    .map((directive) => directive.join(' '))
    .join('; '),
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
});

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.yaml': 'text/plain; charset=utf-8',
};

/** Names with a hash before their extension, as bundlers write them: `index-Dk3f9aB1.js`. */
const hashedName = /[-.](?=[\w-]*[\dA-Z])[\w-]{8,}\.(?:css|js|woff2|svg|png)$/;
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Serves the files of a folder. `/docs/a` is the file `a` or `a.html`, `/docs/` is `index.html`. Files with the suffixes
 * `.br` and `.gz` are the compressed forms of others. Returns a function for routes outside of the folder.
 */
export function serveFolder(http: FastifyInstance, options: StaticFolder): SendNamed {
  const files = new FolderIndex(options.folder);
  const headers = documentHeaders(options.policy);
  const immutable = options.immutable ?? hashedName;
  const send: SendNamed = async (request, reply, name) => {
    if (!files.has(name)) throw missing(files, options);
    const caching = immutable.test(name) ? 'public, max-age=31536000, immutable' : 'public, no-cache';
    reply.headers(headers).header('cache-control', caching);
    return sendFile(request, reply, await files.read(name, negotiateEncoding(request, reply)));
  };
  http.get(options.path, (_request, reply) => reply.redirect(`${options.path.split('/').at(-1)}/`, 308));
  http.get(`${options.path}/*`, async (request, reply) => {
    const { '*': given = '' } = request.params as { '*'?: string };
    const file = files.find(given);
    if (file !== undefined) return send(request, reply, file);
    if (given !== '' && files.find(`${given}/`) !== undefined) {
      return reply.redirect(`${given.split('/').at(-1)}/`, 308);
    }
    const { fallback, notFound } = options;
    const other = acceptsHtml(request) ? (fallback ?? notFound) : undefined;
    if (other === undefined) throw missing(files, options);
    if (other !== fallback) reply.code(404);
    return send(request, reply, other);
  });
  return send;
}

/** Sends a file of the folder by its name; throws when it does not exist. */
export type SendNamed = (request: FastifyRequest, reply: FastifyReply, name: string) => Promise<FastifyReply>;

export interface StaticFile {
  type: string;
  content: Buffer;
  etag: string;
  encoding?: string;
}

/** Sends a file, or 304 when the client has it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  reply.header('etag', file.etag);
  const known = request.headers['if-none-match'];
  const isKnown = known?.split(',').some((each) => [file.etag, '*'].includes(each.trim().replace(/^W\//, '')));
  if (isKnown && reply.statusCode === 200) return reply.code(304).send();
  if (file.encoding !== undefined) reply.header('content-encoding', file.encoding);
  return reply.type(file.type).send(file.content);
}

class FolderIndex {
  private readonly names: ReadonlySet<string>;
  private readonly etags = new Map<string, string>();

  constructor(readonly folder: string) {
    this.names = new Set(existsSync(folder) ? namesIn(folder) : []);
  }

  get isEmpty(): boolean {
    return this.names.size === 0;
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** The name of the file for a path; only listed names, so that no path leaves the folder. */
  find(path: string): string | undefined {
    if (path === '' || path.endsWith('/')) return this.known(`${path}index.html`);
    return this.known(path) ?? this.known(`${path}.html`);
  }

  async read(name: string, accepted: readonly string[]): Promise<StaticFile> {
    const [encoding, suffix = ''] =
      encodings.find(([each, ending]) => accepted.includes(each) && this.has(`${name}${ending}`)) ?? [];
    const content = await readFile(join(this.folder, `${name}${suffix}`));
    const etag = this.etags.get(`${name}${suffix}`) ?? computeEtag(content);
    this.etags.set(`${name}${suffix}`, etag);
    return { type: types[extname(name)] ?? 'application/octet-stream', content, etag, ...(encoding && { encoding }) };
  }

  private known(name: string): string | undefined {
    return this.has(name) && !isCompressed(name, this.names) ? name : undefined;
  }
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));

const isCompressed = (name: string, names: ReadonlySet<string>): boolean =>
  encodings.some(([, suffix]) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)));

const computeEtag = (content: Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** True for browsers, which name HTML; programs that accept all types get JSON. */
export const acceptsHtml = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /\btext\/html\b/i.test(headers.accept ?? '');

function missing(files: FolderIndex, { path }: StaticFolder): HttpFault {
  const message = files.isEmpty
    ? `The pages under ${path} are not built; npm run build builds them`
    : `There is no such page under ${path}/`;
  return new HttpFault(404, 'not_found', message);
}
