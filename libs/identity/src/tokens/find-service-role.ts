import { type JWK, decodeProtectedHeader, errors, importJWK, jwtVerify } from 'jose';
import type { EntityManager } from 'typeorm';

export interface ServiceRole {
  /** The id of the service role key. */
  id: string;
}

/** Verifies a service role key; undefined for any other value or a retired signing key. */
export async function findServiceRole(db: EntityManager, value: string): Promise<ServiceRole | undefined> {
  try {
    const { kid } = decodeProtectedHeader(value);
    if (typeof kid !== 'string') return undefined;
    const [row] = await db.query<{ jwk: JWK }[]>(
      `select public_jwk as jwk from signing_keys where kid = $1 and (retires_at is null or retires_at > now())`,
      [kid],
    );
    if (!row) return undefined;
    const { payload } = await jwtVerify(value, await importJWK(row.jwk, 'ES256'), {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      audience: 'lensforge:stdio',
      requiredClaims: ['jti'],
    });
    return payload['role'] === 'service_role' && payload.jti ? { id: payload.jti } : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
