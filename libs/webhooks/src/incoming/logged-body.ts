const secretName =
  /authorization|cookie|secret|token|passw|passphrase|api_?key|^key$|_key$|credential|private|signature|verifier/i;
const secretText = /\b(lf_[a-z]{3}_|whsec_|sk-|ghp_|xox[a-z]-)[A-Za-z0-9+/=_-]{8,}|\beyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]*/g;
const most = 16_384;
const redacted = '[redacted]';

/** What is kept of a body that was received: at most 16 KB, without what is or looks like a secret. */
export function loggedBody(body: Buffer): string {
  const text = body.toString('utf8');
  return shortened(readable(text).replace(secretText, redacted).replaceAll('\0', ''));
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      secretName.test(name) && value !== null && typeof value !== 'object' ? redacted : value,
    );
  } catch {
    return text;
  }
}

function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  // A character that is cut in half becomes the sign for that, and goes.
  return bytes
    .subarray(0, most)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
