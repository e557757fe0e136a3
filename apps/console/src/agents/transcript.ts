import type { RunEvent } from '@lensforge/sdk';

export interface ToolCall {
  call: number;
  toolId: string;
  input: unknown;
  /** Undefined until the result has arrived. */
  result: { text: string; isError: boolean; status: string } | undefined;
}

/** A request to the model with the tool calls in its answer. */
export interface Step {
  key: string;
  node: string;
  /** Empty for the agent of the node itself, otherwise its position below it. */
  path: string;
  step: number;
  /** The handle; undefined until the step is done. */
  agent: string | undefined;
  /** The text of the model so far. */
  text: string;
  calls: readonly ToolCall[];
  tokens: number | undefined;
  credits: number | undefined;
}

type Payload = Record<string, unknown>;

const numberIn = (payload: Payload, name: string): number => Number(payload[name] ?? 0);
const textIn = (payload: Payload, name: string): string => (typeof payload[name] === 'string' ? payload[name] : '');

/** The steps of the agents of a run, in the order in which they began. */
export function groupSteps(events: readonly RunEvent[]): Step[] {
  const steps = new Map<string, Step>();
  for (const event of events) {
    const payload = event.payload as Payload;
    if (!event.eventType.startsWith('agent.') || payload['step'] === undefined) continue;
    const before = steps.get(toStepKey(payload)) ?? begun(payload);
    const after = withEvent(before, event.eventType, payload);
    steps.set(after.key, after);
  }
  return [...steps.values()];
}

const toStepKey = (payload: Payload): string =>
  [textIn(payload, 'nodeKey') || textIn(payload, 'nodeId'), textIn(payload, 'path'), numberIn(payload, 'step')].join(
    ' ',
  );

const begun = (payload: Payload): Step => ({
  key: toStepKey(payload),
  node: textIn(payload, 'nodeKey') || textIn(payload, 'nodeId'),
  path: textIn(payload, 'path'),
  step: numberIn(payload, 'step'),
  agent: undefined,
  text: '',
  calls: [],
  tokens: undefined,
  credits: undefined,
});

function withEvent(step: Step, type: string, payload: Payload): Step {
  switch (type) {
    case 'agent.thought':
      return { ...step, text: step.text + textIn(payload, 'text') };
    case 'agent.step':
      return {
        ...step,
        agent: textIn(payload, 'agent'),
        text: textIn(payload, 'text'),
        tokens: numberIn(payload, 'tokenInput') + numberIn(payload, 'tokenOutput'),
        credits: numberIn(payload, 'creditCost'),
      };
    case 'agent.tool_call': {
      const call = numberIn(payload, 'call');
      if (step.calls.some((each) => each.call === call)) return step;
      const made = { call, toolId: textIn(payload, 'toolId'), input: payload['input'], result: undefined };
      return { ...step, calls: [...step.calls, made] };
    }
    case 'agent.tool_result': {
      const call = numberIn(payload, 'call');
      const result = {
        text: textIn(payload, 'text'),
        isError: payload['isError'] === true,
        status: textIn(payload, 'status'),
      };
      return { ...step, calls: step.calls.map((each) => (each.call === call ? { ...each, result } : each)) };
    }
    default:
      return step;
  }
}
