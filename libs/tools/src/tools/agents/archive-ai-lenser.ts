import { archiveAgent } from '@lensforge/agents';
import { oneOf, uuid } from '@lensforge/contracts';
import { aiLenserId, confirmation } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @aiLenserId()
  ai_lenser_id!: string;

  @confirmation({ description: 'Set it only when the user has said that the AI lenser is to be archived for good.' })
  confirm!: true;
}

class Result {
  @uuid()
  ai_lenser_id!: string;

  @oneOf(['archived'])
  status!: 'archived';
}

export const archiveAiLenserTool = tool({
  name: 'archive_ai_lenser',
  class: 'Destructive',
  rate: 'write',
  title: 'Archive an AI lenser',
  description:
    'Archives an AI lenser of yours for good: its runs end, it cannot be changed or made active again, and its handle stays taken. Ask ' +
    'the user first and then set confirm to true. To change one, use update_ai_lenser.',
  scope: 'agents:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async (ctx, args) => {
    const { id } = await archiveAgent(ctx, args.ai_lenser_id);
    return { ai_lenser_id: id, status: 'archived' as const };
  },
});
