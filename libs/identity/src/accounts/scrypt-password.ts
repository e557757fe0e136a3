import { scrypt, timingSafeEqual } from 'node:crypto';

interface Cost {
  ln: number;
  r: number;
  p: number;
}

const derive = (password: string, salt: Buffer, length: number, { ln, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r };
    scrypt(password, salt, length, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });

const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/;

/** Verifies a password hash in the former format, `$scrypt$ln=16,r=8,p=2$salt$hash`. */
export async function isScryptPassword(password: string, hash: string): Promise<boolean> {
  const [, ln, r, p, salt, key] = form.exec(hash) ?? [];
  if (salt === undefined || key === undefined) return false;
  const stored = Buffer.from(key, 'base64');
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  return timingSafeEqual(stored, await derive(password, Buffer.from(salt, 'base64'), stored.length, cost));
}
