const secretMember =
  /authorization|cookie|secret|token|password|key$|^key|apikey|credential|verifier|(user|device)_?code/i;
const harmlessMember = /^(idempotencyKey|tokenInput|tokenOutput|tokenDetails|maxTokens|modelKey|providerKey)$/;
const maxDepth = 6;

const redacted = '[redacted]';

/** A copy in which members with the name of a secret are redacted. */
export function withoutSecretMembers(value: Record<string, unknown>): Record<string, unknown> {
  return visit(value, 0) as Record<string, unknown>;
}

function visit(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (depth >= maxDepth) return '[deeper]';
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => visit(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    copy[name] = isSecret(name) && member !== undefined && member !== null ? redacted : visit(member, depth + 1);
  }
  return copy;
}

const knownNames = new Map<string, boolean>();
const maxKnownNames = 1000;

/** Cached by name, since log lines repeat the same few members. */
function isSecret(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const secret = secretMember.test(name) && !harmlessMember.test(name);
  if (knownNames.size < maxKnownNames) knownNames.set(name, secret);
  return secret;
}

const secretsInText = new RegExp(
  [
    String.raw`\b(lf_[a-z]{3}_)[0-9A-Za-z]{16,}`,
    String.raw`\b(whsec_)[A-Za-z0-9+/=_-]{8,}`,
    String.raw`\b(eyJ)[A-Za-z0-9_-]{8,1000}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*`,
    String.raw`\b(Bearer |BEARER |bearer |Basic |BASIC |basic )[A-Za-z0-9._~+/=-]{8,}`,
    String.raw`\b((?:user_|device_)?code(?:_verifier)?=|[a-z]+_token=|password=|client_secret=)[^\s&"\\#]{4,}`,
    String.raw`(:\/\/[^\s:@/"\\]{0,100}:)[^\s@/"\\]{1,200}(?=@)`,
  ].join('|'),
  'g',
);

const secretMarkers = ['lf_', 'whsec_', 'eyJ', 'earer ', 'EARER ', 'asic ', 'ASIC ', '://', '='];

/** Redacts every text in a log line that has the form of a secret. */
export function withoutSecrets(line: string): string {
  if (!secretMarkers.some((marker) => line.includes(marker))) return line;
  return line.replace(secretsInText, (_all, ...groups: unknown[]) => {
    const prefix = groups.find((group) => typeof group === 'string');
    return `${typeof prefix === 'string' ? prefix : ''}${redacted}`;
  });
}

const breaks = /[\u007f-\u009f\u2028\u2029]/g;

/** Escapes characters that JSON allows and that some log readers take for the end of a line. */
export const withoutBreaks = (line: string): string =>
  line.replace(breaks, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
