import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, oneOf, text } from '../schema/field.js';

export class HealthReport {
  @oneOf(['ok', 'degraded'])
  status!: 'ok' | 'degraded';

  @flag()
  db!: boolean;

  @integer({ min: 0 })
  uptime_s!: number;

  @text({ optional: true, nullable: true })
  version?: string | null;

  @dateTime()
  checked_at!: string;

  @text({ optional: true, description: 'The fault, when degraded.' })
  reason?: string;
}

export const healthEndpoints = defineEndpoints({
  health: {
    route: 'GET /health',
    summary: 'Health check: ok while the service reaches its database',
    description:
      'Needs no credential and is not counted. Returns 503 with the status degraded and a reason when the probe of the database fails or takes more than 1500 ms.',
    reply: HealthReport,
    scopes: [],
    rate: 'none',
    errors: [503],
    replies: 'plain',
  },
});
