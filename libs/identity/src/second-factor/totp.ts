import { createHmac, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
const digits = 6;

/** The time steps whose codes are accepted, since clocks differ and people type slowly. */
const drift = [0, -1, 1] as const;

/** The code of a time step (RFC 6238 with SHA-1, which authenticator apps use). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = (mac[mac.length - 1] ?? 0) & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1000 / stepSeconds);

/** The time step of which this is the code; undefined if it is none of the accepted ones. */
export function matchingStep(secret: Uint8Array, code: string, now: Date): number | undefined {
  const given = Buffer.from(code);
  if (given.length !== digits) return undefined;
  return drift
    .map((steps) => stepAt(now) + steps)
    .find((step) => timingSafeEqual(given, Buffer.from(totpCode(secret, step))));
}

/** The address that authenticator apps read from a QR code. */
export function totpUri(secret: string, name: string): string {
  const issuer = 'Lensforge';
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${name}`)}?secret=${secret}&issuer=${issuer}`;
}
