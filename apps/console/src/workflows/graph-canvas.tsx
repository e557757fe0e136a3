import '@xyflow/react/dist/style.css';
import {
  Background,
  BaseEdge,
  type Connection,
  Controls,
  type EdgeChange,
  EdgeLabelRenderer,
  type EdgeProps,
  type Edge as FlowEdge,
  type Node as FlowNode,
  Handle,
  MarkerType,
  MiniMap,
  type NodeChange,
  type NodeProps,
  Position,
  ReactFlow,
  getBezierPath,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { useEffect, useMemo, useRef } from 'react';
import { workflowsTexts } from '../view-texts/workflows';
import { Status } from '../ui/status';
import type { Graph, GraphEdge, GraphNode } from './graph';
import { nodeSize, layOut } from './layout';
import { findKind } from './node-kinds';
import { type Selection, nothingChosen } from './selection';

export type Mark = 'added' | 'removed' | 'changed' | 'faulty';

/** Marks of nodes by id and of edges by index. */
export interface Marks {
  nodes: ReadonlyMap<string, Mark>;
  edges: ReadonlyMap<number, Mark>;
}

interface Props {
  graph: Graph;
  chosen?: Selection | undefined;
  /** The states of the nodes in a run. */
  states?: ReadonlyMap<string, string> | undefined;
  marks?: Marks | undefined;
  onChoose?: ((step: (before: Selection) => Selection) => void) | undefined;
  onConnect?: ((from: string, to: string) => void) | undefined;
  /** Asks for a node on an edge. */
  onInsert?: ((edge: number) => void) | undefined;
}

type CanvasNode = FlowNode<{
  title: string;
  type: string;
  state: string | undefined;
  mark: Mark | undefined;
  isChosen: boolean;
}>;

function WorkflowNode({ data: { title, type, state, mark, isChosen } }: NodeProps<CanvasNode>) {
  const { icon: Icon, className } = findKind(type);
  return (
    <div className={`graph-node ${className} ${isChosen ? 'chosen' : ''} ${mark ?? ''}`}>
      <Handle type="target" position={Position.Left} />
      <strong className="graph-title">
        <Icon size="1.1em" aria-hidden /> {title}
      </strong>
      <div className="quiet">
        {type} {state !== undefined && <Status value={state} />}
        {mark && <span className={`graph-mark ${mark}`}>{workflowsTexts.marks[mark]}</span>}
      </div>
      <Handle type="source" position={Position.Right} />
    </div>
  );
}

type CanvasEdge = FlowEdge<{ onInsert: ((edge: number) => void) | undefined }>;

/** Half of the width of the button. */
const plusSize = 12;

/** An edge with its label and, in an editor, a button above it that puts a node onto it. The form of the edge has it, too. */
function WorkflowEdge({ id, source, target, label, markerEnd, data, ...ends }: EdgeProps<CanvasEdge>) {
  const [path, labelX, labelY] = getBezierPath(ends);
  const end = markerEnd === undefined ? {} : { markerEnd };
  const y = labelY - (label === undefined ? plusSize : 3 * plusSize);
  return (
    <>
      <BaseEdge id={id} path={path} labelX={labelX} labelY={labelY} {...(label !== undefined && { label })} {...end} />
      {data?.onInsert && (
        <EdgeLabelRenderer>
          <button
            type="button"
            className="edge-plus nodrag nopan"
            tabIndex={-1}
            aria-label={workflowsTexts.insertOn(source, target)}
            style={{ transform: `translate(${labelX - plusSize}px, ${y}px)` }}
            onClick={() => data.onInsert?.(Number(id))}
          >
            +
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

const nodeTypes = { workflow: WorkflowNode };
const edgeTypes = { workflow: WorkflowEdge };
const fitOptions = { maxZoom: 1 } as const;
const markerEnd = { type: MarkerType.ArrowClosed };

/** The condition and the values of an edge, in a few words. */
const describeEdge = ({ when, input, output }: GraphEdge): string => {
  const value = typeof input === 'string' ? `${typeof output === 'string' ? output : '*'} → ${input}` : '';
  const text = [when ?? '', value].filter((part) => part !== '').join(' · ');
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
};

/** A set after the changes of what is chosen; the same set when there are none. */
function chosenAfter<T>(
  before: ReadonlySet<T>,
  changes: readonly (NodeChange | EdgeChange)[],
  keyOf: (id: string) => T,
) {
  const after = new Set(before);
  for (const change of changes) {
    if (change.type !== 'select') continue;
    if (change.selected) after.add(keyOf(change.id));
    else after.delete(keyOf(change.id));
  }
  return after;
}

const hasSelection = (changes: readonly (NodeChange | EdgeChange)[]): boolean =>
  changes.some(({ type }) => type === 'select');

/** Moves the picture so that all nodes are in view when there are more of them, or when the window has another width. */
function ShowAll({ count }: { count: number }) {
  const { fitView } = useReactFlow();
  const width = useStore((state) => state.width);
  const shown = useRef({ count, width });
  useEffect(() => {
    // The picture takes the nodes over after this effect.
    const frame = requestAnimationFrame(() => {
      const { current } = shown;
      if (count > current.count || (current.width > 0 && width !== current.width)) void fitView(fitOptions);
      shown.current = { count, width };
    });
    return () => cancelAnimationFrame(frame);
  }, [count, width, fitView]);
  return null;
}

/** From this number of nodes on a small map shows which part of them is in view. */
const nodesWithMap = 12;

interface NodeLooks {
  chosen: Selection['nodes'];
  states: Props['states'];
  marks: Marks['nodes'] | undefined;
}

/** The nodes of the picture. Those that have not changed are the same objects, so that only the others are drawn again. */
function useNodes({ nodes, edges }: Graph, { chosen, states, marks }: NodeLooks): CanvasNode[] {
  const shape = JSON.stringify({
    nodes: nodes.map(({ id }) => ({ id })),
    edges: edges.map(({ from, to, when, input, output }) => ({ from, to, when, input, output })),
  });
  const places = useMemo(() => layOut(JSON.parse(shape) as Graph, describeEdge), [shape]);
  const drawn = useMemo(() => {
    const known = new WeakMap<GraphNode, CanvasNode>();
    return (node: GraphNode): CanvasNode => {
      const { id, type, title } = node;
      const before = known.get(node);
      if (before) return before;
      const mark = marks?.get(id);
      const state = states?.get(id);
      const canvasNode: CanvasNode = {
        id,
        type: 'workflow',
        position: places.get(id) ?? { x: 0, y: 0 },
        ...nodeSize,
        // Without it, the picture measures the node again after each change.
        measured: nodeSize,
        selected: false,
        data: { title: title || id, type, state, mark, isChosen: false },
        ariaLabel: [`${workflowsTexts.node} ${id}, ${type}`, state, mark && workflowsTexts.marks[mark]]
          .filter((part) => part !== undefined)
          .join(', '),
      };
      known.set(node, canvasNode);
      return canvasNode;
    };
  }, [places, states, marks]);
  return useMemo(
    () =>
      nodes.map((node) => {
        const plain = drawn(node);
        return chosen.has(node.id) ? { ...plain, selected: true, data: { ...plain.data, isChosen: true } } : plain;
      }),
    [nodes, drawn, chosen],
  );
}

/** A workflow as a picture, arranged from left to right. With `onConnect` edges are drawn from node to node. */
export function GraphCanvas({ graph, chosen = nothingChosen, states, marks, onChoose, onConnect, onInsert }: Props) {
  const nodes = useNodes(graph, { chosen: chosen.nodes, states, marks: marks?.nodes });
  const edges = useMemo(
    () =>
      graph.edges.map((edge, index): CanvasEdge => {
        const mark = marks?.edges.get(index);
        const label = [mark && workflowsTexts.marks[mark], describeEdge(edge)].filter(Boolean).join(' · ');
        return {
          id: String(index),
          type: 'workflow',
          data: { onInsert },
          source: edge.from,
          target: edge.to,
          selected: chosen.edges.has(index),
          className: mark ?? '',
          markerEnd,
          ariaLabel: `${workflowsTexts.edge} ${edge.from} → ${edge.to}${label === '' ? '' : `, ${label}`}`,
          ...(label !== '' && { label }),
        };
      }),
    [graph.edges, marks?.edges, chosen.edges, onInsert],
  );
  return (
    <div className="graph">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        colorMode={document.documentElement.dataset['theme'] as 'system' | 'light' | 'dark'}
        fitView
        fitViewOptions={fitOptions}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={onConnect !== undefined}
        elementsSelectable={onChoose !== undefined}
        deleteKeyCode={null}
        onNodesChange={(changes) => {
          if (hasSelection(changes))
            onChoose?.((before) => ({ ...before, nodes: chosenAfter(before.nodes, changes, String) }));
        }}
        onEdgesChange={(changes) => {
          if (hasSelection(changes))
            onChoose?.((before) => ({ ...before, edges: chosenAfter(before.edges, changes, Number) }));
        }}
        onConnect={({ source, target }: Connection) => onConnect?.(source, target)}
      >
        <Background />
        <ShowAll count={graph.nodes.length} />
        {graph.nodes.length >= nodesWithMap && <MiniMap pannable zoomable ariaLabel={workflowsTexts.miniMap} />}
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
