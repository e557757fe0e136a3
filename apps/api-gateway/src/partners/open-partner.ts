import type { Context } from '@lensforge/core';
import { egress, egressPolicy, readNetworks, systemResolver } from '@lensforge/egress';
import { type Partner, SandboxPartner } from '@lensforge/partners';
import type { GatewayEnvironment } from '../environment.js';
import { HttpPartner } from './http-partner.js';

const maxResponseBytes = 64 * 1024;

/** The registered partner: an HTTP API when its URL is configured, otherwise the sandbox. */
export function openPartner(environment: GatewayEnvironment, now: () => Date): (ctx: Context) => Partner {
  const {
    LENSFORGE_PARTNER_NAME: name,
    LENSFORGE_PARTNER_BASE_URL: baseUrl,
    LENSFORGE_PARTNER_SECRET: secret,
    LENSFORGE_PARTNER_TIMEOUT_MS: totalMs,
    LENSFORGE_PARTNER_TOKEN_SECONDS: tokenSeconds,
    LENSFORGE_EGRESS_ALLOW: networks,
  } = environment;
  if (baseUrl === undefined || secret === undefined) return (ctx) => new SandboxPartner(ctx, { name, tokenSeconds });
  const { protocol, port } = new URL(baseUrl);
  const isPlain = protocol === 'http:';
  const client = egress(
    egressPolicy({
      allow: readNetworks(networks),
      allowHttp: isPlain,
      ports: [Number(port) || (isPlain ? 80 : 443)],
      resolve: systemResolver(),
      connectMs: totalMs,
      headersMs: totalMs,
      totalMs,
      readBytes: maxResponseBytes,
      keepBytes: maxResponseBytes + 1,
    }),
  );
  const partner = new HttpPartner({ name, baseUrl, secret, egress: client, now });
  return () => partner;
}
