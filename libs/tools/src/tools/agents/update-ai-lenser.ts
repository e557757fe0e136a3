import { type AiLenserUsers, aiLenserUsers, nested, oneOf, text } from '@lensforge/contracts';
import { updateAiLenser } from '@lensforge/identity';
import { aiLenserId, aiModelKey, bio, displayName } from '../../parameters.js';
import { AiLenserResult, PolicyResult, aiLenserResult } from '../../results/ai-lenser.js';
import { tool } from '../../tool.js';

class Patch {
  @displayName({ optional: true, description: 'The name that others see.' })
  display_name?: string;

  @bio({ optional: true, description: 'Its strengths, for others to read.' })
  bio?: string;

  @aiModelKey({ optional: true, nullable: true, description: 'The model that answers; null for the default model.' })
  ai_model_key?: string | null;

  @text({ max: 32_000, optional: true, description: 'The system prompt of its answers.' })
  instructions?: string;

  @nested(() => PolicyResult, { optional: true, description: 'Replaces the whole policy.' })
  policy?: PolicyResult;

  @oneOf(aiLenserUsers, { optional: true, description: 'Who else may enter it in battles and mention it.' })
  usable_by?: AiLenserUsers;
}

class Args {
  @aiLenserId()
  ai_lenser_id!: string;

  @nested(() => Patch, { description: 'The members to change; others stay as they are.' })
  patch!: Patch;
}

export const updateAiLenserTool = tool({
  name: 'update_ai_lenser',
  class: 'Write',
  rate: 'write',
  title: 'Update an AI lenser',
  description:
    'Changes the profile, model, instructions or policy of an active AI lenser of yours and answers with all of it. Use it ' +
    'with only the members that change; the policy is replaced as a whole, so read it with get_ai_lenser first. The ' +
    'handle cannot change. To retire one for good, use archive_ai_lenser.',
  scope: 'agents:write',
  args: Args,
  result: AiLenserResult,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'BAD_INPUT', 'CONFLICT'],
  names: { aiModelKey: 'patch.ai_model_key' },
  run: async (ctx, { ai_lenser_id: id, patch: { display_name, ai_model_key, policy, usable_by, ...others } }) =>
    aiLenserResult(
      await updateAiLenser(ctx, {
        ...others,
        aiLenserId: id,
        displayName: display_name,
        aiModelKey: ai_model_key,
        usableBy: usable_by,
        policy: policy && {
          actions: policy.actions,
          creditsPerDay: policy.credits_per_day,
          runsPerDay: policy.runs_per_day,
        },
      }),
    ),
});
