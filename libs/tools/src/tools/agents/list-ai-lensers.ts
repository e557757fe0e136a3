import { uuid } from '@lensforge/contracts';
import { listAiLensers } from '@lensforge/identity';
import { limit, offset } from '../../parameters.js';
import { AiLenserPageResult, aiLenserPage } from '../../results/ai-lenser.js';
import { tool } from '../../tool.js';

class Args {
  @uuid({ optional: true, description: 'The lenser who owns them; you when left out.' })
  owner_lenser_id?: string;

  @limit()
  limit = 20;

  @offset()
  offset = 0;
}

export const listAiLensersTool = tool({
  name: 'list_ai_lensers',
  class: 'Read',
  rate: 'list',
  title: 'List AI lensers',
  description:
    'Lists the active AI lensers of one owner, newest first: yours, or with owner_lenser_id those of another lenser. Use ' +
    'it to find the id of an AI lenser. When you have the id, use get_ai_lenser, which also finds archived ones; to make ' +
    'a new one, use create_ai_lenser.',
  scope: 'agents:read',
  args: Args,
  result: AiLenserPageResult,
  run: async (ctx, { owner_lenser_id: owner = ctx.actor.accountId, ...page }) =>
    aiLenserPage(await listAiLensers(ctx, { ...page, owner })),
});
