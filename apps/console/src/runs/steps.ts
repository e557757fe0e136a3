import type { RunEvent } from '@lensforge/sdk';

export interface ToolCall {
  call: number;
  toolId: string;
  input: unknown;
  from: number;
  /** Undefined until the result has arrived. */
  to: number | undefined;
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
  from: number;
  /** The time of its last event. */
  to: number;
}

type Payload = Record<string, unknown>;

const numberIn = (payload: Payload, name: string): number => Number(payload[name] ?? 0);
const textIn = (payload: Payload, name: string): string => (typeof payload[name] === 'string' ? payload[name] : '');
const nodeIn = (payload: Payload): string => textIn(payload, 'nodeKey') || textIn(payload, 'nodeId');

/** The steps of the agents of a run, in the order in which they began. */
export function groupSteps(events: readonly RunEvent[]): Step[] {
  const steps = new Map<string, Step>();
  // A step has no event for its beginning: it begins with what was last in its node or its run.
  const last = new Map<string, number>();
  for (const { eventType, occurredAt, payload: given } of events) {
    const payload = given as Payload;
    const at = Date.parse(occurredAt);
    const node = nodeIn(payload);
    if (eventType.startsWith('agent.') && payload['step'] !== undefined) {
      const key = toStepKey(payload);
      const begin = Math.max(last.get(node) ?? 0, last.get('') ?? 0) || at;
      const before = steps.get(key) ?? begun(payload, key, begin);
      steps.set(key, { ...withEvent(before, eventType, payload, at), to: at });
    }
    last.set(node, at);
  }
  return [...steps.values()];
}

const toStepKey = (payload: Payload): string =>
  [nodeIn(payload), textIn(payload, 'path'), numberIn(payload, 'step')].join(' ');

const begun = (payload: Payload, key: string, from: number): Step => ({
  key,
  node: nodeIn(payload),
  path: textIn(payload, 'path'),
  step: numberIn(payload, 'step'),
  agent: undefined,
  text: '',
  calls: [],
  tokens: undefined,
  credits: undefined,
  from,
  to: from,
});

function withEvent(step: Step, type: string, payload: Payload, at: number): Step {
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
      const toolId = textIn(payload, 'toolId');
      const made = { call, toolId, input: payload['input'], from: at, to: undefined, result: undefined };
      return { ...step, calls: [...step.calls, made] };
    }
    case 'agent.tool_result': {
      const call = numberIn(payload, 'call');
      const result = {
        text: textIn(payload, 'text'),
        isError: payload['isError'] === true,
        status: textIn(payload, 'status'),
      };
      return { ...step, calls: step.calls.map((each) => (each.call === call ? { ...each, to: at, result } : each)) };
    }
    default:
      return step;
  }
}
