import { readableAiLenser } from '@lensforge/identity';
import { aiLenserId } from '../../parameters.js';
import { AiLenserResult, aiLenserResult } from '../../results/ai-lenser.js';
import { tool } from '../../tool.js';

class Args {
  @aiLenserId()
  ai_lenser_id!: string;
}

export const getAiLenserTool = tool({
  name: 'get_ai_lenser',
  class: 'Read',
  rate: 'read',
  title: 'Get an AI lenser',
  description:
    'Answers with the full profile of one AI lenser: handle, name, bio, model, owner and status. For one of yours it adds ' +
    'the instructions and the policy. Use it before you change one with update_ai_lenser. To find ids, use ' +
    'list_ai_lensers.',
  scope: 'agents:read',
  args: Args,
  result: AiLenserResult,
  errors: ['NOT_FOUND'],
  run: async (ctx, args) => aiLenserResult(await readableAiLenser(ctx, args.ai_lenser_id)),
});
