import dagre from '@dagrejs/dagre';
import type { Graph, GraphEdge } from './graph';

export const nodeSize = { width: 190, height: 56 } as const;

/** About the size of the letters of an edge's label. */
const letter = { width: 6, height: 14 } as const;

/** The places of the nodes, from left to right in the order in which they run, with space for the labels of edges. */
export function layOut(
  { nodes, edges }: Graph,
  labelOf: (edge: GraphEdge) => string = () => '',
): Map<string, { x: number; y: number }> {
  const layout = new dagre.graphlib.Graph();
  layout.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 60 });
  layout.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) layout.setNode(id, { ...nodeSize });
  for (const edge of edges) {
    const { from, to } = edge;
    if (!layout.hasNode(from) || !layout.hasNode(to)) continue;
    const width = labelOf(edge).length * letter.width;
    layout.setEdge(from, to, { width, height: width > 0 ? letter.height : 0, labelpos: 'c' });
  }
  dagre.layout(layout);
  return new Map(
    nodes.map(({ id }) => {
      const { x, y } = layout.node(id) as { x: number; y: number };
      // dagre places centres, the graph places corners.
      return [id, { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 }];
    }),
  );
}
