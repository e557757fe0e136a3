import dagre from '@dagrejs/dagre';
import type { Graph } from './graph';

export const nodeSize = { width: 190, height: 56 } as const;

/** The places of the nodes, from left to right in the order in which they run. */
export function layOut({ nodes, edges }: Graph): Map<string, { x: number; y: number }> {
  const layout = new dagre.graphlib.Graph();
  layout.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 60 });
  layout.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) layout.setNode(id, { ...nodeSize });
  for (const { from, to } of edges) if (layout.hasNode(from) && layout.hasNode(to)) layout.setEdge(from, to);
  dagre.layout(layout);
  return new Map(
    nodes.map(({ id }) => {
      const { x, y } = layout.node(id) as { x: number; y: number };
      // dagre places centres, the graph places corners.
      return [id, { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 }];
    }),
  );
}
