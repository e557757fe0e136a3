/** The major versions that are tested, by the name of the server. */
const supported = {
  Redis: { oldest: 7, newest: 8 },
  Valkey: { oldest: 8, newest: 9 },
} as const;

export interface VersionFinding {
  /** A reason to refuse the server. */
  fault?: string;
  warning?: string;
}

/** The value of a field in the reply of INFO. */
export const infoField = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

/** Valkey reports the version of Redis that it is compatible with, beside its own. */
function versionIn(info: string): { name: keyof typeof supported; version: string } | undefined {
  const valkey = infoField(info, 'valkey_version');
  if (valkey) return { name: 'Valkey', version: valkey };
  const redis = infoField(info, 'redis_version');
  return redis ? { name: 'Redis', version: redis } : undefined;
}

/** Compares the version of a server with the tested ones. */
export function judgeVersion(info: string): VersionFinding {
  const found = versionIn(info);
  if (!found) return {};
  const { name, version } = found;
  const { oldest, newest } = supported[name];
  const major = Number.parseInt(version, 10);
  if (major < oldest) return { fault: `is ${name} ${version}: version ${oldest} or newer is needed` };
  if (major <= newest) return {};
  return {
    warning: `${name} ${version} is newer than the versions that this release was tested with (${oldest} to ${newest})`,
  };
}
