import { toGraph } from './graph';
import { toSettings } from './node-fields';

/** A parameter of a lens, or an input of a workflow. */
export interface WantedValue {
  name: string;
  isOptional: boolean;
  about?: string | undefined;
}

/** The inputs in the schema of a graph. */
export function inputsOf(graph: unknown): WantedValue[] {
  const { properties, required } = toSettings(toGraph(graph)['inputs']);
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(toSettings(properties)).map(([name, schema]) => {
    const { description, default: value } = toSettings(schema);
    return {
      name,
      isOptional: !names.has(name) || value !== undefined,
      ...(typeof description === 'string' && { about: description }),
    };
  });
}

/** The node types that give values: the setting that names the target, and the one with the values. */
export const givers = {
  lens: { target: 'lensId', values: 'params' },
  workflow: { target: 'workflowId', values: 'inputs' },
} as const;

export type Giver = keyof typeof givers;

/** The name under which a value is given, if it is: names of parameters of lenses differ in more than the case of letters. */
export const givenName = (type: Giver, name: string, given: Iterable<string>): string | undefined => {
  const toKey = (text: string): string => (type === 'lens' ? text.trim().toLowerCase() : text);
  return [...given].find((each) => toKey(each) === toKey(name));
};

export const isGiver = (type: string): type is Giver => type in givers;
