import { agentActions, toolOfAction } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { OwnAiLenser } from '@lensforge/identity';

/** The tools that an AI lenser may be offered: granted ones that its policy does not deny. Each call needs a verdict besides. */
export async function grantedTools(
  { db }: Context,
  { id, policy }: Pick<OwnAiLenser, 'id' | 'policy'>,
): Promise<string[]> {
  const rows = await db.query<{ toolId: string }[]>(
    'select tool_id as "toolId" from agent_tools where agent_id = $1 and allowed order by tool_id',
    [id],
  );
  return rows.flatMap(({ toolId }) => {
    const action = agentActions.find((each) => toolOfAction[each] === toolId);
    const isDenied = action !== undefined && (policy.actions[action] ?? 'deny') === 'deny';
    return isDenied ? [] : [toolId];
  });
}
