import type { AccountSummary, Me } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import type { InputOf } from '@lensforge/edge';
import { Caller, Input, Serves } from '@lensforge/edge';
import { readMe, updateMe } from '@lensforge/identity';
import { Controller } from '@nestjs/common';

@Controller()
export class MeController {
  @Serves(endpoints.getMe)
  read(@Caller() ctx: Context): Promise<Me> {
    return rideOut(() => readMe(ctx));
  }

  @Serves(endpoints.updateMe)
  update(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.updateMe>): Promise<AccountSummary> {
    return rideOut(() => updateMe(ctx, body));
  }
}
