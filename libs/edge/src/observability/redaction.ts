const secretMember =
  /authorization|cookie|secret|token|password|key$|^key|apikey|credential|verifier|(user|device)_?code/i;
const harmlessMember = /^(idempotencyKey|tokenInput|tokenOutput|maxTokens|modelKey|providerKey)$/;
const deepest = 6;

const redacted = '[redacted]';

/** A copy of what is about to be logged without the members whose name says that they hold a secret. */
export function withoutSecretMembers(value: Record<string, unknown>): Record<string, unknown> {
  return visit(value, 0) as Record<string, unknown>;
}

function visit(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (depth >= deepest) return '[deeper]';
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => visit(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    copy[name] = isSecret(name) && member !== undefined && member !== null ? redacted : visit(member, depth + 1);
  }
  return copy;
}

const judged = new Map<string, boolean>();
const mostJudged = 1000;

/** Lines have the same few members again and again, and every request writes one. */
function isSecret(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const secret = secretMember.test(name) && !harmlessMember.test(name);
  if (judged.size < mostJudged) judged.set(name, secret);
  return secret;
}

const secretsInText = new RegExp(
  [
    String.raw`\b(lf_[a-z]{3}_)[0-9A-Za-z]{16,}`,
    String.raw`\b(whsec_)[A-Za-z0-9+/=_-]{8,}`,
    String.raw`\b(eyJ)[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*`,
    String.raw`\b(Bearer |BEARER |bearer |Basic |BASIC |basic )[A-Za-z0-9._~+/=-]{8,}`,
    String.raw`\b((?:user_|device_)?code(?:_verifier)?=|[a-z]+_token=|password=|client_secret=)[^\s&"\\#]{4,}`,
    String.raw`(:\/\/[^\s:@/"\\]{0,100}:)[^\s@/"\\]{1,200}(?=@)`,
  ].join('|'),
  'g',
);

const marks = ['lf_', 'whsec_', 'eyJ', 'earer ', 'EARER ', 'asic ', 'ASIC ', '://', '='];

/** The last gate of every line that leaves the process: whatever looks like one of our secrets goes, wherever it stood. */
export function withoutSecrets(line: string): string {
  if (!marks.some((mark) => line.includes(mark))) return line;
  return line.replace(secretsInText, (_all, ...groups: unknown[]) => {
    const kept = groups.find((group) => typeof group === 'string');
    return `${typeof kept === 'string' ? kept : ''}${redacted}`;
  });
}

const breaks = /[\u007f-\u009f\u2028\u2029]/g;

/** JSON leaves these as they are, and some readers of logs take them for the end of a line. */
export const withoutBreaks = (line: string): string =>
  line.replace(breaks, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
