const secretName =
  /authorization|cookie|secret|token|passw|passphrase|api_?key|^key$|_key$|credential|private|signature|verifier/i;
const secretText = /\b(lf_[a-z]{3}_|whsec_|sk-|ghp_|xox[a-z]-)[A-Za-z0-9+/=_-]{8,}/g;
/** Words with dots between them; some of them are JSON web tokens. */
const dotted = /[\w-]+(?:\.[\w-]*)*/g;
const maxBytes = 16_384;
const redacted = '[redacted]';

/** Returns a received body for the log: at most 16 KB, with anything that looks like a secret redacted. */
export function loggedBody(body: Buffer): string {
  const text = body.toString('utf8');
  return truncate(redactJson(text).replace(dotted, withoutTokens).replace(secretText, redacted).replaceAll('\0', ''));
}

/** Redacts the tokens in dotted words: a part from `eyJ` on, a second part, and a third one, which may be empty. */
function withoutTokens(words: string): string {
  const parts = words.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const start = at + 2 < parts.length && (parts[at + 1] ?? '').length >= 2 ? part.search(/\beyJ[\w-]{8}/) : -1;
    kept.push(start === -1 ? part : part.slice(0, start) + redacted);
    if (start !== -1) at += 2;
  }
  return kept.join('.');
}

function redactJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      secretName.test(name) && value !== null && typeof value !== 'object' ? redacted : value,
    );
  } catch {
    return text;
  }
}

function truncate(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  // Decoding turns a character that was cut in half into U+FFFD, which is dropped.
  return bytes
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
