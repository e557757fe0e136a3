import type { Context } from '@lensforge/core';

/** A tool call of an AI lenser in a run that waits for the approval of its owner. */
export interface WaitingToolCall {
  approvalId: string;
  agentId: string;
  handle: string;
  toolId: string;
  input: unknown;
  requestedAt: string;
}

/** The tool calls of runs that wait for an approval, the oldest first. The caller checks access. */
export const listWaitingToolCalls = ({ db }: Context, runIds: readonly string[]): Promise<WaitingToolCall[]> =>
  db.query<WaitingToolCall[]>(
    `select a.id as "approvalId", a.agent_id as "agentId", l.handle, a.tool_id as "toolId", a.metadata as input,
            iso(a.created_at) as "requestedAt"
       from agent_tool_calls c join agent_actions a on a.id = c.approval_id join accounts l on l.id = a.agent_id
      where c.run_id = any ($1) and c.state = 'waiting' and a.approval = 'pending' and a.expires_at > now()
      order by a.id`,
    [runIds],
  );
