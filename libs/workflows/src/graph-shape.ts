import { integer, json, list, nestedKind, oneOf, record, text } from '@lensforge/contracts';

export const nodeId = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const maxNodes = 500;
export const maxEdges = 2000;
export const maxMapDepth = 3;

export class RetryPolicy {
  @integer({ min: 1, max: 10, description: 'All attempts, including the first.' })
  attempts = 3;

  @integer({ min: 0, max: 3600, description: 'The delay before the second attempt.' })
  delaySeconds = 1;

  @integer({ min: 1, max: 10, description: 'The factor by which each delay grows.' })
  factor = 2;
}

export class GraphNodeShape {
  @text({ min: 1, max: 64, pattern: nodeId })
  id!: string;

  @text({ max: 100, description: 'One of the node types.' })
  type!: string;

  @text({ max: 200, optional: true })
  title?: string;

  @record({ description: 'The settings of its type.' })
  settings: Record<string, unknown> = {};

  @oneOf(['fail', 'continue'])
  onError: 'fail' | 'continue' = 'fail';

  @json({ optional: true })
  retry?: unknown;

  @integer({ min: 1, max: 86_400, optional: true })
  timeoutSeconds?: number;
}

export class GraphEdge {
  @text({ min: 1, max: 64 })
  from!: string;

  @text({ min: 1, max: 64 })
  to!: string;

  @text({
    min: 1,
    max: 200,
    pattern: /^[A-Za-z_][\w-]*(\.[A-Za-z0-9_][\w-]*)*$/,
    optional: true,
    description: 'A member of the output of from, such as body.items; the whole output when absent.',
  })
  output?: string;

  @text({ min: 1, max: 100, optional: true, description: 'The name of the input of to.' })
  input?: string;

  @text({ min: 1, max: 4000, optional: true, description: 'A condition; always when absent.' })
  when?: string;
}

export class GraphShape {
  @list(nestedKind(() => GraphNodeShape), { max: maxNodes })
  nodes!: GraphNodeShape[];

  @list(nestedKind(() => GraphEdge), { max: maxEdges })
  edges: GraphEdge[] = [];

  @record({ optional: true, description: 'JSON Schema (2020-12) of the inputs of a run.' })
  inputs?: Record<string, unknown>;

  @record({ optional: true, description: 'Names and expressions; the outputs of the last nodes when absent.' })
  outputs?: Record<string, unknown>;
}
