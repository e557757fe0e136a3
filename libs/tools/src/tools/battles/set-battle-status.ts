import { setBattleStatus } from '@lensforge/battles';
import {
  type BattleStatusRequest,
  battleStatuses,
  list,
  oneOf,
  targetStatuses,
  textKind,
  uuid,
} from '@lensforge/contracts';
import { battleId, confirmation } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @battleId()
  battle_id!: string;

  @oneOf(targetStatuses, { description: 'The next status.' })
  status!: BattleStatusRequest['status'];

  @confirmation({ optional: true, description: 'Must be true for closed and archived.' })
  confirm?: true;
}

class Result {
  @uuid()
  battle_id!: string;

  @oneOf(battleStatuses, { description: 'A later one than requested when all answers were in already.' })
  status!: string;

  @list(textKind(), { description: 'Unusual facts about the battle now.' })
  warnings!: string[];
}

export const setBattleStatusTool = tool({
  name: 'set_battle_status',
  class: 'Write',
  rate: 'write',
  title: 'Move a battle to another status',
  description:
    'Moves a battle of yours from draft to open, executing, voting, scoring, closed and published, one step at a time, or ' +
    'to archived from any status. Use it to steer a battle; closed and archived need confirm. Answers come by ' +
    'submit_battle_run; the results are in get_battle_score. Ask the user before you close or archive: neither can be undone.',
  scope: 'community:write',
  args: Args,
  result: Result,
  errors: ['CONFIRMATION_REQUIRED', 'NOT_FOUND', 'FORBIDDEN', 'INVALID_TRANSITION', 'THROTTLED'],
  run: async (ctx, { battle_id, status, confirm }) => {
    const moved = await setBattleStatus(ctx, { battleId: battle_id, status, ...(confirm && { confirm }) });
    return { battle_id: moved.battleId, status: moved.status, warnings: moved.warnings };
  },
});
