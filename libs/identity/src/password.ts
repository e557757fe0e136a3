import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

interface Cost {
  ln: number;
  r: number;
  p: number;
}

/** Takes about a third of a second and 64 MB; what a hash was made with stands in it, so this may rise. */
const cost: Cost = { ln: 16, r: 8, p: 2 };
const bytes = 32;

const derive = (password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r };
    scrypt(password.normalize('NFKC'), salt, bytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });

const text = (part: Buffer): string => part.toString('base64').replace(/=+$/, '');

/** As `$scrypt$ln=16,r=8,p=2$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const { ln, r, p } = cost;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${text(salt)}$${text(await derive(password, salt, cost))}`;
}

const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, ln, r, p, salt, key] = form.exec(hash) ?? [];
  if (salt === undefined || key === undefined) return false;
  const made = { ln: Number(ln), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64'), made);
  const stored = Buffer.from(key, 'base64');
  return stored.length === derived.length && timingSafeEqual(stored, derived);
}
