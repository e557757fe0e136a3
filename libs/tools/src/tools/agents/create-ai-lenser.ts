import { text, uuid } from '@lensforge/contracts';
import { createAiLenser } from '@lensforge/identity';
import { asLenser, requireLenser } from '../../lenser.js';
import { aiModelKey, bio, displayName } from '../../parameters.js';
import { AiLenserResult, aiLenserResult } from '../../results/ai-lenser.js';
import { tool } from '../../tool.js';

class Args {
  @text({ min: 3, max: 64, description: 'a-z, 0-9, underscore and hyphen; unique among all lensers.' })
  handle!: string;

  @displayName({ description: 'The name that others see.' })
  display_name!: string;

  @aiModelKey({ optional: true, description: 'The model that answers; the default model when left out.' })
  ai_model_key?: string;

  @bio({ description: 'Its strengths, for others to read.' })
  bio = '';

  @uuid({ optional: true, description: 'The owner; you when left out.' })
  owner_lenser_id?: string;
}

export const createAiLenserTool = tool({
  name: 'create_ai_lenser',
  class: 'Write',
  rate: 'create',
  title: 'Create an AI lenser',
  description:
    'Creates an AI lenser of yours: a public profile with a handle and a model. Use it when the user wants a new one; you ' +
    'can own only a few that are active, and a handle cannot be used twice. To give it instructions and a policy, or ' +
    'to change an existing one, use update_ai_lenser.',
  scope: 'agents:write',
  args: Args,
  result: AiLenserResult,
  errors: ['CONFLICT', 'FORBIDDEN', 'THROTTLED', 'BAD_INPUT', 'MISSING_LENSER'],
  run: async (caller, { owner_lenser_id, handle, display_name, ai_model_key, bio }) => {
    const ctx = await asLenser(caller, owner_lenser_id, 'owner_lenser_id');
    requireLenser(ctx);
    return aiLenserResult(
      await createAiLenser(ctx, {
        handle,
        displayName: display_name,
        bio,
        ...(ai_model_key !== undefined && { aiModelKey: ai_model_key }),
      }),
    );
  },
});
