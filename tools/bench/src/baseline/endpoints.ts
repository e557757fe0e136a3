import { defineEndpoints, text } from '@lensforge/contracts';
import { Caller, Platform, PlatformEnvironment, Serves, serve, trustedTokens } from '@lensforge/edge';
import { Controller } from '@nestjs/common';

// One service with one query at two endpoints that differ only in their authentication.
process.on('disconnect', () => process.exit());

class Counted {
  @text({ max: 100 })
  place!: string;
}

const row = { summary: 'One query', description: 'Counts rows.', reply: Counted, rate: 'none' } as const;
const { open, guarded } = defineEndpoints({
  open: { ...row, route: 'GET /open', scopes: [] },
  guarded: { ...row, route: 'GET /v1/guarded', scopes: ['lenses:read'] },
});

@Controller()
class Doors {
  constructor(private readonly platform: Platform) {}

  @Serves(open)
  open(): Promise<Counted> {
    return this.query();
  }

  @Serves(guarded)
  guarded(@Caller() _ctx: unknown): Promise<Counted> {
    return this.query();
  }

  private async query(): Promise<Counted> {
    const sql = 'select id as place from accounts where handle = $1';
    const [found] = await this.platform.database.query<Counted[]>(sql, ['alice']);
    return found ?? { place: 'nowhere' };
  }
}

await serve({
  name: 'endpoints',
  environment: PlatformEnvironment,
  module: () => ({ module: Doors, controllers: [Doors] }),
  tokens: ['developer'],
  rates: () => ({ unauthenticated: 1_000_000 }),
  verifiers: (platform) => [trustedTokens(platform, 'lensforge:api')],
});
