import { randomBytes } from 'node:crypto';
import type { Context } from '@lensforge/core';
import { hashToken } from '../tokens/token.js';
import { base32 } from './base32.js';

const codes = 10;

/** 80 random bits, in groups that can be read aloud. */
const newCode = (): string => (base32(randomBytes(10)).match(/.{4}/g) ?? []).join('-');

const hashCode = (code: string): Buffer => hashToken(code.replace(/[^a-z2-7]/gi, '').toUpperCase());

/** Replaces the recovery codes of a user; only their hashes are stored. */
export async function issueRecoveryCodes(ctx: Context, userId: string): Promise<string[]> {
  const issued = Array.from({ length: codes }, newCode);
  await ctx.db.query('delete from recovery_codes where user_id = $1', [userId]);
  await ctx.db.query('insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', [
    userId,
    issued.map(hashCode),
  ]);
  return issued;
}

/** Uses a recovery code up; false if it is none. */
export async function useRecoveryCode(ctx: Context, userId: string, code: string): Promise<boolean> {
  const [, count] = await ctx.db.query<[unknown, number]>(
    'delete from recovery_codes where user_id = $1 and code_hash = $2',
    [userId, hashCode(code)],
  );
  return count === 1;
}
