import { listAgentEvents } from '@lensforge/agents';
import {
  type AgentEventType,
  agentEvents,
  dateTime,
  flag,
  integer,
  list,
  nestedKind,
  oneOf,
  record,
  text,
  uuid,
} from '@lensforge/contracts';
import { aiLenserId } from '../../parameters.js';
import { inSnakeCase, toResult } from '../../results/to-result.js';
import { tool } from '../../tool.js';

class Args {
  @aiLenserId()
  ai_lenser_id!: string;

  @uuid({ optional: true, description: 'Only events of this run of the AI lenser.' })
  run_id?: string;

  @oneOf(Object.keys(agentEvents), { optional: true, description: 'Only events of this type.' })
  event_type?: AgentEventType;

  @integer({ min: 1, max: 500, description: 'Maximum number of events; the newest ones.' })
  limit = 100;
}

class EventResult {
  @integer({ min: 1, description: 'Counted for each AI lenser, without gaps.' })
  sequence!: number;

  @text()
  event_type!: string;

  @uuid({ nullable: true })
  run_id!: string | null;

  @record()
  payload!: Record<string, unknown>;

  @dateTime()
  occurred_at!: string;
}

class Result {
  @uuid()
  ai_lenser_id!: string;

  @list(nestedKind(() => EventResult), { description: 'The oldest first.' })
  items!: EventResult[];

  @flag({ description: 'True when there are older events.' })
  has_more!: boolean;
}

export const listAgentRunEventsTool = tool({
  name: 'list_agent_run_events',
  class: 'Read',
  rate: 'list',
  title: 'List events of an AI lenser',
  description:
    'Lists the newest events of an AI lenser of yours: its grants, the verdicts on its actions, approvals, and the starts ' +
    'and ends of its runs. Use it to see what it did or why an action was blocked, also for one run_id. For the steps ' +
    'of a run, use get_workflow_run_logs.',
  scope: 'agents:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND'],
  run: async (ctx, { ai_lenser_id: agentId, run_id: runId, event_type: eventType, limit }) => {
    const { items, hasMore } = await listAgentEvents(ctx, { agentId, runId, eventType, limit });
    return {
      ai_lenser_id: agentId.toLowerCase(),
      items: items.map((event) =>
        toResult(EventResult, event, { payload: inSnakeCase(event.payload) as Record<string, unknown> }),
      ),
      has_more: hasMore,
    };
  },
});
