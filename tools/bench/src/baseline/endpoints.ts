import { endpoint, text } from '@lensforge/contracts';
import { Caller, Platform, PlatformEnvironment, Serves, serve, trustedTokens } from '@lensforge/edge';
import { Controller } from '@nestjs/common';

// One service with one query at two endpoints that differ only in their authentication.
process.on('disconnect', () => process.exit());

class Counted {
  @text({ max: 100 })
  place!: string;
}

const row = { method: 'GET', summary: 'One query', reply: Counted, status: 200, replies: 'envelope' } as const;
const open = endpoint({ ...row, id: 'open', path: '/open', scopes: [], rate: 'none', errors: [500] });
const guarded = endpoint({
  ...row,
  id: 'guarded',
  path: '/v1/guarded',
  scopes: ['lenses:read'],
  rate: 'none',
  errors: [401, 403],
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
  entities: [],
  module: () => ({ module: Doors, controllers: [Doors] }),
  tokens: ['developer'],
  rates: () => ({ unauthenticated: 1_000_000 }),
  verifiers: (platform) => [trustedTokens(platform, 'lensforge:api')],
});
