import { ConflictError } from '@lensforge/sdk';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { texts } from '../texts';
import { workflowsTexts } from '../view-texts/workflows';
import { Action } from '../ui/action';
import { Copy } from '../ui/copy';
import { SaveFault } from '../ui/save-fault';
import { Unsaved } from '../ui/unsaved';
import { AddNode } from './add-node';
import { ChooseNode } from './choose-node';
import { copiedNodes, pasteNodes } from './clipboard';
import { EdgeForm } from './edge-form';
import { ExpressionScopeContext, useExpressionScope } from './expression-scope';
import { type Graph, addNode, connect, insertNode, removeParts } from './graph';
import { GraphCanvas, type Marks } from './graph-canvas';
import { IssueList } from './issue-list';
import { readIssues } from '../ui/issues';
import { type PlacedIssue, issuesAt, keepOpen, placeIssues } from './issues';
import { type MapPath, graphAt } from './map-graph';
import { MapTrail } from './map-trail';
import { NodeForm } from './node-form';
import { renameNode } from './rename-node';
import { type Selection, nothingChosen, onlyEdge, onlyNodes, pickOnly } from './selection';
import { useEditorKeys } from './use-editor-keys';
import type { GraphDraft } from './use-graph-draft';

/** The faults of the server as marks of the picture. */
const groupMarks = (issues: readonly PlacedIssue[]): Marks | undefined =>
  issues.length === 0
    ? undefined
    : {
        nodes: new Map(issues.flatMap(({ node }) => (node === undefined ? [] : [[node, 'faulty'] as const]))),
        edges: new Map(issues.flatMap(({ edge }) => (edge === undefined ? [] : [[edge, 'faulty'] as const]))),
      };

interface Props {
  workflowId: string;
  draft: GraphDraft;
  /** The text of the inputs with which the workflow would run. */
  inputs: string;
}

/** Changes the graph of a workflow. */
export function GraphEditor({ workflowId, draft, inputs }: Props) {
  const { history, change, isChanged, save, candidate, check } = draft;
  const { root, path, chosen } = history.now;
  const graph = graphAt(root, path) ?? root;
  const scope = useExpressionScope({ workflowId, inputs }, root, path);

  // Faults belong to the graph that was sent: another order of its nodes would place them wrongly.
  const failed = save.isError ? save : candidate.isError ? candidate : check;
  const sent = failed.variables?.graph ?? root;
  const told = placeIssues(readIssues(failed.error), sent);
  const issues = keepOpen(told, sent, root);
  const issuesHere = issuesAt(issues, path);
  /** The edge whose + was pressed, until it has a node. */
  const [inserting, setInserting] = useState<number>();
  const choose = (choose: Selection | ((before: Selection) => Selection)): void => change({ choose });
  const act = useCallback(
    (step: (graph: Graph) => Graph, chosen?: Selection): void => change({ change: step, ...(chosen && { chosen }) }),
    [change],
  );
  const editor = useRef<HTMLElement>(null);
  const [isAlone, setAlone] = useState(false);
  // A rule that asks whether the shell has such an editor would compute all styles of the page with each change in it.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-alone', isAlone);
    return () => document.documentElement.removeAttribute('data-alone');
  }, [isAlone]);
  const open = (open: MapPath, chosen: Selection): void => {
    change({ open, chosen });
    // The button that opened the graph may be gone.
    if (open.join() !== path.join()) editor.current?.focus();
  };
  const add = (type: string): void => {
    const [next, id] = addNode(graph, type, pickOnly(chosen.nodes));
    act(() => next, onlyNodes([id]));
  };
  const insert = (at: number, type: string): void => {
    const [next, id] = insertNode(graph, at, type);
    if (id !== undefined) act(() => next, onlyNodes([id]));
    setInserting(undefined);
  };
  const askForNode = useCallback(
    (at: number): void => {
      setInserting(at);
      change({ choose: onlyEdge(at) });
    },
    [change],
  );
  const remove = (): void => act((before) => removeParts(before, chosen), nothingChosen);
  const paste = (text: string): boolean => {
    const { graph: next, ids } = pasteNodes(graph, text);
    if (ids.length > 0) act(() => next, onlyNodes(ids));
    return ids.length > 0;
  };
  const duplicate = (): void => void paste(copiedNodes(graph, chosen.nodes));
  useEditorKeys(editor, {
    undo: () => change('undo'),
    redo: () => change('redo'),
    remove,
    duplicate,
    copied: () => (chosen.nodes.size > 0 ? copiedNodes(graph, chosen.nodes) : undefined),
    paste,
  });
  const findIndexOfNode = (wanted: string | undefined): number => graph.nodes.findIndex(({ id }) => id === wanted);
  const only = pickOnly(chosen.nodes);
  // The picture shows a choice at once; the form of the node is drawn after that. A renamed node has its old id there.
  const drawn = useDeferredValue(only);
  const at = findIndexOfNode(findIndexOfNode(drawn) < 0 ? only : drawn);
  const edge = [...chosen.edges].find((at) => chosen.edges.size === 1 && at < graph.edges.length);
  const hasNodes = chosen.nodes.size > 0;
  return (
    <section
      className={isAlone ? 'panel alone' : 'panel'}
      ref={editor}
      tabIndex={-1}
      aria-label={path.length === 0 ? workflowsTexts.editor : workflowsTexts.editorOf(path.join(' › '))}
    >
      <Toolbar
        copied={hasNodes ? copiedNodes(graph, chosen.nodes) : ''}
        canUndo={history.past.length > 0}
        canRedo={history.future.length > 0}
        hasNodes={hasNodes}
        hasEdges={chosen.edges.size > 0}
        isChanged={isChanged}
        isChecking={check.isPending}
        isSaving={save.isPending}
        onChange={change}
        onAdd={add}
        onDuplicate={duplicate}
        onRemove={remove}
        onCheck={() => check.mutate({ graph: root })}
        onSave={() => void draft.saveNow().catch(shownAbove)}
        onDiscard={draft.discard}
        isAlone={isAlone}
        onAlone={() => setAlone(!isAlone)}
      />
      {told.length > 0 && !(save.error instanceof ConflictError) ? (
        issues.length > 0 && <IssueList issues={issues} onShow={open} />
      ) : (
        <SaveFault
          error={failed.error}
          onReload={async () => {
            await draft.loadNewest();
            save.reset();
          }}
          onOverwrite={draft.overwrite}
        />
      )}
      {draft.newer !== undefined && !save.isError && (
        <div className="notice row" role="status">
          <span>{workflowsTexts.newer(draft.newer)}</span>
          <Action onAct={draft.loadNewest}>{isChanged ? texts.conflict.reload : workflowsTexts.loadNewer}</Action>
        </div>
      )}
      <MapTrail path={path} onOpen={(to) => open(to, onlyNodes(path.slice(to.length, to.length + 1)))} />
      <div className="graph-editor">
        <GraphCanvas
          key={[isAlone, ...path].join('/')}
          graph={graph}
          chosen={chosen}
          marks={groupMarks(issuesHere)}
          onChoose={choose}
          onConnect={(from, to) => act((before) => connect(before, from, to))}
          onInsert={askForNode}
        />
        <ExpressionScopeContext value={scope}>
          <div>
            <Inspector
              graph={graph}
              path={path}
              at={at}
              edge={edge}
              isInserting={inserting !== undefined && inserting === edge}
              issues={issuesHere}
              onChange={act}
              onInsert={insert}
              onRemove={remove}
              onChoose={choose}
              onOpen={open}
            />
          </div>
        </ExpressionScopeContext>
      </div>
    </section>
  );
}

/** A failed save is shown above the graph. */
const shownAbove = (): void => undefined;

interface ToolbarProps {
  /** The chosen nodes as text. */
  copied: string;
  canUndo: boolean;
  canRedo: boolean;
  hasNodes: boolean;
  hasEdges: boolean;
  isChanged: boolean;
  isChecking: boolean;
  isSaving: boolean;
  onChange: (step: 'undo' | 'redo') => void;
  onAdd: (type: string) => void;
  onDuplicate: () => void;
  onRemove: () => void;
  onCheck: () => void;
  onSave: () => void;
  onDiscard: () => void;
  /** True when nothing else of the page is shown. */
  isAlone: boolean;
  onAlone: () => void;
}

function Toolbar(props: ToolbarProps) {
  const { copied, canUndo, canRedo, hasNodes, hasEdges, isChanged, isChecking, isSaving, isAlone } = props;
  const { onChange, onAdd, onDuplicate, onRemove, onCheck, onSave, onDiscard, onAlone } = props;
  return (
    <div className="row">
      <AddNode onAdd={onAdd} />
      <button type="button" disabled={!canUndo} onClick={() => onChange('undo')}>
        {workflowsTexts.undo}
      </button>
      <button type="button" disabled={!canRedo} onClick={() => onChange('redo')}>
        {workflowsTexts.redo}
      </button>
      <Copy text={copied} name={workflowsTexts.copyNodes} />
      <button type="button" disabled={!hasNodes} onClick={onDuplicate}>
        {workflowsTexts.duplicate}
      </button>
      <button type="button" disabled={!hasNodes && !hasEdges} onClick={onRemove}>
        {texts.remove}
      </button>
      <button type="button" disabled={isChecking} onClick={onCheck}>
        {workflowsTexts.checkGraph}
      </button>
      <button type="button" aria-pressed={isAlone} onClick={onAlone}>
        {workflowsTexts.alone}
      </button>
      <button type="button" className="primary" disabled={!isChanged || isSaving} onClick={onSave}>
        {workflowsTexts.save}
      </button>
      <Unsaved isChanged={isChanged} onDiscard={onDiscard} />
    </div>
  );
}

interface InspectorProps {
  graph: Graph;
  path: MapPath;
  /** The index of the chosen node, or -1. */
  at: number;
  edge: number | undefined;
  isInserting: boolean;
  issues: readonly PlacedIssue[];
  onChange: (step: (graph: Graph) => Graph, chosen?: Selection) => void;
  onInsert: (at: number, type: string) => void;
  onRemove: () => void;
  onChoose: (selection: Selection) => void;
  onOpen: (path: MapPath, chosen: Selection) => void;
}

/** The form of the chosen node or edge. */
function Inspector(props: InspectorProps) {
  const { graph, path, at, edge, isInserting, issues, onChange, onInsert, onRemove, onChoose, onOpen } = props;
  const node = graph.nodes[at];
  if (node)
    return (
      <NodeForm
        // Its place stays when it gets another id, so that the focus stays in its field.
        key={[...path, at].join('/')}
        node={node}
        graph={graph}
        issues={issues.filter((issue) => issue.node === node.id)}
        onChange={onChange}
        onRename={(id) => onChange((before) => renameNode(before, node.id, id), onlyNodes([id]))}
        onRemove={onRemove}
        onChooseEdge={(index) => onChoose(onlyEdge(index))}
        onOpen={() => onOpen([...path, node.id], nothingChosen)}
      />
    );
  if (edge !== undefined)
    return (
      <EdgeForm
        key={`${edge} ${isInserting}`}
        graph={graph}
        at={edge}
        issues={issues.filter((issue) => issue.edge === edge)}
        isInserting={isInserting}
        onInsert={(type) => onInsert(edge, type)}
        onChange={onChange}
        onRemove={onRemove}
      />
    );
  return <ChooseNode graph={graph} onChoose={(id) => onChoose(onlyNodes([id]))} />;
}
