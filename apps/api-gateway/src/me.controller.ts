import type { AccountSummary, Me } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readBudget } from '@lensforge/credits';
import { withDbRetry } from '@lensforge/database';
import type { InputOf } from '@lensforge/edge';
import { Caller, Input, Serves } from '@lensforge/edge';
import { readMe, updateMe } from '@lensforge/identity';
import { Controller } from '@nestjs/common';

@Controller()
export class MeController {
  @Serves(endpoints.getMe)
  async read(@Caller() ctx: Context): Promise<Me> {
    const [me, budget] = await withDbRetry(() => Promise.all([readMe(ctx), readBudget(ctx)]));
    return { ...me, ...(budget && { budget }) };
  }

  @Serves(endpoints.updateMe)
  update(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.updateMe>): Promise<AccountSummary> {
    return withDbRetry(() => updateMe(ctx, body));
  }
}
