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
import type { Graph, GraphEdge } from './graph';
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

type CanvasEdge = FlowEdge<{ onInsert: (() => void) | undefined }>;

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
            onClick={data.onInsert}
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

/** A workflow as a picture, arranged from left to right. With `onConnect` edges are drawn from node to node. */
export function GraphCanvas({ graph, chosen = nothingChosen, states, marks, onChoose, onConnect, onInsert }: Props) {
  const places = useMemo(() => layOut(graph, describeEdge), [graph]);
  const nodes: CanvasNode[] = graph.nodes.map(({ id, type, title }) => {
    const mark = marks?.nodes.get(id);
    return {
      id,
      type: 'workflow',
      position: places.get(id) ?? { x: 0, y: 0 },
      ...nodeSize,
      selected: chosen.nodes.has(id),
      data: { title: title || id, type, state: states?.get(id), mark, isChosen: chosen.nodes.has(id) },
      ariaLabel: [`${workflowsTexts.node} ${id}, ${type}`, states?.get(id), mark && workflowsTexts.marks[mark]]
        .filter((part) => part !== undefined)
        .join(', '),
    };
  });
  const edges: CanvasEdge[] = graph.edges.map((edge, index) => {
    const mark = marks?.edges.get(index);
    const label = [mark && workflowsTexts.marks[mark], describeEdge(edge)].filter(Boolean).join(' · ');
    return {
      id: String(index),
      type: 'workflow',
      data: { onInsert: onInsert && (() => onInsert(index)) },
      source: edge.from,
      target: edge.to,
      selected: chosen.edges.has(index),
      className: mark ?? '',
      markerEnd: { type: MarkerType.ArrowClosed },
      ariaLabel: `${workflowsTexts.edge} ${edge.from} → ${edge.to}${label === '' ? '' : `, ${label}`}`,
      ...(label !== '' && { label }),
    };
  });
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
