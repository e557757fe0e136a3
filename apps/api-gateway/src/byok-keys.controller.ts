import { setTimeout as pause } from 'node:timers/promises';
import {
  createByokKey,
  listByokKeys,
  readableByokKey,
  revokeByokKey,
  rotateByokKey,
  startByokTest,
} from '@lensforge/byok';
import { type ByokKey, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { pageResponse } from './page-response.js';

/** Time to wait for the result of a key test; most providers answer sooner. */
const waitMs = 4000;
const pollMs = 100;

@Controller()
export class ByokKeysController {
  constructor(private readonly platform: Platform<GatewayEnvironment>) {}

  @Serves(endpoints.listByokKeys)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listByokKeys>,
  ): Promise<ListResponse<ByokKey>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listByokKeys(ctx, query)));
  }

  @Serves(endpoints.createByokKey)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createByokKey>): Promise<ByokKey> {
    return createByokKey(ctx, { ...body, limit: this.platform.environment.LENSFORGE_BYOK_KEYS_PER_ACCOUNT });
  }

  @Serves(endpoints.getByokKey)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getByokKey>): Promise<ByokKey> {
    return withDbRetry(() => readableByokKey(ctx, params.keyId));
  }

  @Serves(endpoints.testByokKey)
  async test(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.testByokKey>): Promise<ByokKey> {
    await startByokTest(ctx, params.keyId);
    for (const until = performance.now() + waitMs; ;) {
      const key = await withDbRetry(() => readableByokKey(ctx, params.keyId));
      if (key.test?.status !== 'pending' || performance.now() >= until) return key;
      await pause(pollMs);
    }
  }

  @Serves(endpoints.rotateByokKey)
  rotate(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.rotateByokKey>): Promise<ByokKey> {
    return rotateByokKey(ctx, params.keyId, body.secret);
  }

  @Serves(endpoints.revokeByokKey)
  revoke(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.revokeByokKey>): Promise<ByokKey> {
    return revokeByokKey(ctx, params.keyId);
  }
}
