import { maxMapDepth } from './graph-shape.js';

/** JSON paths of the lens nodes of a stored graph and of its nested maps. */
export const lensNodePaths: readonly string[] = Array.from(
  { length: maxMapDepth + 1 },
  (_, depth) => `$.nodes[*]${' ? (@.type == "map").settings.graph.nodes[*]'.repeat(depth)} ? (@.type == "lens")`,
);
