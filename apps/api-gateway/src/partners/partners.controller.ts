import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { Caller, Input, type InputOf, Serves } from '@lensforge/edge';
import { type Json, PartnerService } from '@lensforge/partners';
import { Controller } from '@nestjs/common';

@Controller()
export class PartnersController {
  constructor(private readonly partners: PartnerService) {}

  @Serves(endpoints.provisionPartner)
  provision(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.provisionPartner>,
  ): Promise<Json> {
    return this.partners.provision(ctx, params.partnerName, { ...body });
  }

  @Serves(endpoints.getPartnerBalance)
  balance(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getPartnerBalance>): Promise<Json> {
    return this.partners.balance(ctx, params.partnerName);
  }

  @Serves(endpoints.refreshPartnerToken)
  refresh(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.refreshPartnerToken>): Promise<Json> {
    return this.partners.refreshToken(ctx, params.partnerName);
  }

  @Serves(endpoints.sendPartnerClaim)
  claim(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.sendPartnerClaim>): Promise<Json> {
    return this.partners.sendClaim(ctx, params.partnerName, { ...body });
  }
}
