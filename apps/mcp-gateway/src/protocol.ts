import { isRecord } from './json-rpc.js';

/** Revisions with an optional `initialize`, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Stateless revisions, in which every request names its revision; newest first. */
export const modernVersions = ['2026-07-28'] as const;

export const protocolVersions: readonly string[] = [...modernVersions, ...legacyVersions];

export type Era = 'legacy' | 'modern';

export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** The extension with which work that goes on is a task of the client. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** The `_meta` of a message; undefined when there is none. */
export function readMeta(message: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(message) || !isRecord(message['params'])) return undefined;
  const { _meta: meta } = message['params'];
  return isRecord(meta) ? meta : undefined;
}

/** The era of a message: by the version in its header, then by the version in its `_meta`. */
export function detectEra(message: unknown, named?: string): Era {
  if (named !== undefined && isModern(named)) return 'modern';
  const claimed = readMeta(message)?.[metaKeys.version];
  return claimed === undefined || isLegacy(claimed) ? 'legacy' : 'modern';
}

export const isLegacy = (version: unknown): boolean => (legacyVersions as readonly unknown[]).includes(version);

const isModern = (version: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= '2026-';
