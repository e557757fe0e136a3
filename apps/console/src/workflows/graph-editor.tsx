import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConflictError, type shapes } from '@lensforge/sdk';
import { useDeferredValue, useEffect, useReducer, useRef, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { workflowsTexts } from '../view-texts/workflows';
import { Copy } from '../ui/copy';
import { SaveFault } from '../ui/save-fault';
import { AddNode } from './add-node';
import { ChooseNode } from './choose-node';
import { copiedNodes, pasteNodes } from './clipboard';
import { EdgeForm } from './edge-form';
import { ExpressionScopeContext, useExpressionScope } from './expression-scope';
import { Forecast } from './forecast';
import { type Graph, addNode, connect, toGraph, removeParts } from './graph';
import { GraphCanvas, type Marks } from './graph-canvas';
import { startHistory, historyReducer } from './history';
import { IssueList } from './issue-list';
import { type PlacedIssue, issuesAt, readIssues, placeIssues } from './issues';
import { parseJson } from './json-text';
import { type MapPath, graphAt } from './map-graph';
import { MapTrail } from './map-trail';
import { NodeForm } from './node-form';
import { renameNode } from './rename-node';
import { type Selection, nothingChosen, onlyEdge, onlyNodes, pickOnly } from './selection';
import { useEditorKeys } from './use-editor-keys';

/** The faults of the server as marks of the picture. */
const groupMarks = (issues: readonly PlacedIssue[]): Marks => ({
  nodes: new Map(issues.flatMap(({ node }) => (node === undefined ? [] : [[node, 'faulty'] as const]))),
  edges: new Map(issues.flatMap(({ edge }) => (edge === undefined ? [] : [[edge, 'faulty'] as const]))),
});

interface Props {
  workflow: shapes.WorkflowRecord;
  /** The inputs that a person has written for a run, as JSON. */
  inputs: string;
}

/** Changes the graph of a workflow. Nothing is sent before it is saved, and nothing is lost when that fails. */
export function GraphEditor({ workflow, inputs }: Props) {
  const { base, setBase, save, check, newest } = useSaving(workflow, inputs);
  const [history, change] = useReducer(historyReducer, toGraph(workflow.headVersion.graph), startHistory);
  const { root, path, chosen } = history.now;
  const graph = graphAt(root, path) ?? root;
  const scope = useExpressionScope(workflow.id, root, path);
  const isChanged = JSON.stringify(root) !== JSON.stringify(toGraph(base.graph));
  useWarning(isChanged);

  // Faults belong to the graph that was sent: another order of its nodes would place them wrongly.
  const failed = save.isError ? save : check;
  const issues = placeIssues(readIssues(failed.error), failed.variables?.graph ?? root);
  const issuesHere = issuesAt(issues, path);
  const choose = (choose: Selection | ((before: Selection) => Selection)): void => change({ choose });
  const act = (step: (graph: Graph) => Graph, chosen?: Selection): void =>
    change({ change: step, ...(chosen && { chosen }) });
  const editor = useRef<HTMLElement>(null);
  const open = (open: MapPath, chosen: Selection): void => {
    change({ open, chosen });
    // The button that opened the graph may be gone.
    if (open.join() !== path.join()) editor.current?.focus();
  };
  const add = (type: string): void => {
    const [next, id] = addNode(graph, type, pickOnly(chosen.nodes));
    act(() => next, onlyNodes([id]));
  };
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
  const loadTheirs = async (): Promise<void> => {
    const theirs = await newest();
    setBase(theirs);
    change({ reset: toGraph(theirs.graph) });
    save.reset();
  };
  const findIndexOfNode = (wanted: string | undefined): number => graph.nodes.findIndex(({ id }) => id === wanted);
  const only = pickOnly(chosen.nodes);
  // The picture shows a choice at once; the form of the node is drawn after that. A renamed node has its old id there.
  const drawn = useDeferredValue(only);
  const at = findIndexOfNode(findIndexOfNode(drawn) < 0 ? only : drawn);
  const edge = [...chosen.edges].find((at) => chosen.edges.size === 1 && at < graph.edges.length);
  const hasNodes = chosen.nodes.size > 0;
  return (
    <section
      className="panel"
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
        onSave={() => save.mutate({ graph: root, baseVersionId: base.id })}
      />
      {issues.length > 0 && !(save.error instanceof ConflictError) ? (
        <IssueList issues={issues} onShow={open} />
      ) : (
        <SaveFault
          error={failed.error}
          onReload={loadTheirs}
          onOverwrite={async () => save.mutate({ graph: root, baseVersionId: (await newest()).id })}
        />
      )}
      <MapTrail path={path} onOpen={(to) => open(to, onlyNodes(path.slice(to.length, to.length + 1)))} />
      <div className="graph-editor">
        <GraphCanvas
          key={path.join('/')}
          graph={graph}
          chosen={chosen}
          marks={groupMarks(issuesHere)}
          onChoose={choose}
          onConnect={(from, to) => act((before) => connect(before, from, to))}
        />
        <ExpressionScopeContext value={scope}>
          <div>
            <Inspector
              graph={graph}
              path={path}
              at={at}
              edge={edge}
              issues={issuesHere}
              onChange={act}
              onRemove={remove}
              onChoose={choose}
              onOpen={open}
            />
          </div>
        </ExpressionScopeContext>
      </div>
      {check.isSuccess && <Forecast estimate={check.data} />}
    </section>
  );
}

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
}

function Toolbar(props: ToolbarProps) {
  const { copied, canUndo, canRedo, hasNodes, hasEdges, isChanged, isChecking, isSaving } = props;
  const { onChange, onAdd, onDuplicate, onRemove, onCheck, onSave } = props;
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
      <button type="button" className="primary" disabled={!isChanged || isSaving} onClick={onSave}>
        {workflowsTexts.save}
      </button>
      {isChanged && <span className="quiet">{lensesTexts.unsaved}</span>}
    </div>
  );
}

/** Asks before the page is left with changes. */
function useWarning(isChanged: boolean): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (isChanged) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}

interface InspectorProps {
  graph: Graph;
  path: MapPath;
  /** The index of the chosen node, or -1. */
  at: number;
  edge: number | undefined;
  issues: readonly PlacedIssue[];
  onChange: (step: (graph: Graph) => Graph, chosen?: Selection) => void;
  onRemove: () => void;
  onChoose: (selection: Selection) => void;
  onOpen: (path: MapPath, chosen: Selection) => void;
}

/** The form of the chosen node or edge. */
function Inspector({ graph, path, at, edge, issues, onChange, onRemove, onChoose, onOpen }: InspectorProps) {
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
        key={edge}
        graph={graph}
        at={edge}
        issues={issues.filter((issue) => issue.edge === edge)}
        onChange={onChange}
        onRemove={onRemove}
      />
    );
  return <ChooseNode graph={graph} onChoose={(id) => onChoose(onlyNodes([id]))} />;
}

function useSaving(workflow: shapes.WorkflowRecord, inputs: string) {
  const client = useClient();
  const queries = useQueryClient();
  const [base, setBase] = useState(workflow.headVersion);
  const save = useMutation({
    mutationFn: async (body: { graph: Graph; baseVersionId: string }) => client.workflows.saveGraph(workflow.id, body),
    onSuccess: async (saved, { graph }) => {
      setBase({ ...saved, graph });
      await queries.invalidateQueries({ queryKey: ['workflow', workflow.id] });
    },
  });
  const check = useMutation({
    mutationFn: async (draft: { graph: Graph }) =>
      client.workflows.dryRun(workflow.id, { ...draft, inputs: parseJson(inputs) as Record<string, unknown> }),
  });
  const newest = async (): Promise<shapes.WorkflowVersionRecord> =>
    (await client.workflows.get(workflow.id)).headVersion;
  return { base, setBase, save, check, newest };
}
