import '@xyflow/react/dist/style.css';
import type { Connection, NodeProps, Node as FlowNode } from '@xyflow/react';
import { Background, Controls, Handle, Position, ReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import { texts } from '../texts';
import { Status } from '../ui/status';
import type { Graph } from './graph';
import { nodeSize, placesOf } from './layout';

interface Props {
  graph: Graph;
  chosen?: string | undefined;
  /** The states of the nodes in a run. */
  states?: ReadonlyMap<string, string> | undefined;
  onChoose?: ((id: string | undefined) => void) | undefined;
  onConnect?: ((from: string, to: string) => void) | undefined;
  onDisconnect?: ((from: string, to: string) => void) | undefined;
}

type CanvasNode = FlowNode<{ title: string; type: string; state: string | undefined; isChosen: boolean }>;

function WorkflowNode({ data: { title, type, state, isChosen } }: NodeProps<CanvasNode>) {
  return (
    <div className={isChosen ? 'graph-node chosen' : 'graph-node'}>
      <Handle type="target" position={Position.Left} />
      <strong>{title}</strong>
      <div className="quiet">
        {type} {state !== undefined && <Status value={state} />}
      </div>
      <Handle type="source" position={Position.Right} />
    </div>
  );
}

const nodeTypes = { workflow: WorkflowNode };

/** A workflow as a picture. With `onConnect` edges are drawn from node to node. */
export function GraphCanvas({ graph, chosen, states, onChoose, onConnect, onDisconnect }: Props) {
  const places = useMemo(() => placesOf(graph), [graph]);
  const nodes: CanvasNode[] = graph.nodes.map(({ id, type, title }) => ({
    id,
    type: 'workflow',
    position: places.get(id) ?? { x: 0, y: 0 },
    ...nodeSize,
    data: { title: title ?? id, type, state: states?.get(id), isChosen: id === chosen },
    ariaLabel: `${texts.workflows.node} ${id}, ${type}`,
  }));
  const edges = graph.edges.map(({ from, to, when }) => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    ...(when !== undefined && { label: when }),
  }));
  return (
    <div className="graph">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={document.documentElement.dataset['theme'] as 'system' | 'light' | 'dark'}
        fitView
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={onConnect !== undefined}
        deleteKeyCode={null}
        onNodeClick={(_, { id }) => onChoose?.(id)}
        onPaneClick={() => onChoose?.(undefined)}
        onConnect={({ source, target }: Connection) => onConnect?.(source, target)}
        onEdgeDoubleClick={(_, { source, target }) => onDisconnect?.(source, target)}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
