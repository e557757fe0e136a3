const secretName =
  /authorization|cookie|secret|token|passw|passphrase|api_?key|^key$|_key$|credential|private|signature|verifier/i;
const secretText = /\b(lf_[a-z]{3}_|whsec_|sk-|ghp_|xox[a-z]-)[A-Za-z0-9+/=_-]{8,}|\beyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]*/g;
const maxBytes = 16_384;
const redacted = '[redacted]';

/** Returns a received body for the log: at most 16 KB, with anything that looks like a secret redacted. */
export function loggedBody(body: Buffer): string {
  const text = body.toString('utf8');
  return truncate(redactJson(text).replace(secretText, redacted).replaceAll('\0', ''));
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
