import { listAudit, verifyAuditPart } from '@lensforge/audit';
import { type AuditEntry, type AuditVerification, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { administeredCommunity } from '@lensforge/identity';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

@Controller()
export class AuditController {
  @Serves(endpoints.listAudit)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listAudit>,
  ): Promise<ListResponse<AuditEntry>> {
    const { communityId, ...page } = query;
    if (communityId !== undefined) await withDbRetry(() => administeredCommunity(ctx, communityId));
    const accountId = communityId ?? ctx.actor.accountId;
    const { items, ...rest } = await withDbRetry(() => listAudit(ctx, { ...page, accountId }));
    const entries = items.map((entry) => ({
      ...entry,
      target: entry.target && { ...entry.target },
      occurredAt: entry.occurredAt.toISOString(),
    }));
    return pageResponse({ ...rest, items: entries });
  }

  @Serves(endpoints.verifyAudit)
  async verify(
    @Caller() ctx: Context,
    @Input() { query: { communityId, after } }: InputOf<typeof endpoints.verifyAudit>,
  ): Promise<AuditVerification> {
    if (communityId !== undefined) await withDbRetry(() => administeredCommunity(ctx, communityId));
    const accountId = communityId ?? ctx.actor.accountId;
    const { entries, broken, next = null } = await withDbRetry(() => verifyAuditPart(ctx.db, accountId, { after }));
    return { intact: !broken, entries, fault: broken ? { sequence: broken.sequence, fault: broken.what } : null, next };
  }
}
