import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { ConflictError } from '@lensforge/sdk';
import { useEffect, useReducer, useRef, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { workflowsTexts } from '../view-texts/workflows';
import { Copy } from '../ui/copy';
import { SaveFault } from '../ui/save-fault';
import { AddNode } from './add-node';
import { copiedNodes, pasteNodes } from './clipboard';
import { EdgeForm } from './edge-form';
import { ExpressionScopeContext, useExpressionScope } from './expression-scope';
import { Forecast } from './forecast';
import type { Graph } from './graph';
import { addNode, connect, graphOf, historyReducer, removeParts } from './graph';
import type { Marks, Selection } from './graph-canvas';
import { GraphCanvas, nothingChosen } from './graph-canvas';
import type { PlacedIssue } from './issues';
import { issuesOf, placeIssues } from './issues';
import { parseJson } from './json-text';
import { NodeForm } from './node-form';
import { useEditorKeys } from './use-editor-keys';

const onlyNodes = (ids: Iterable<string>): Selection => ({ nodes: new Set(ids), edges: new Set() });
const onlyOf = <T,>(set: ReadonlySet<T>): T | undefined => (set.size === 1 ? [...set][0] : undefined);

/** The faults of the server as marks of the picture. */
const marksOf = (issues: readonly PlacedIssue[]): Marks => ({
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
  const client = useClient();
  const queries = useQueryClient();
  const [base, setBase] = useState(workflow.headVersion);
  const [history, change] = useReducer(historyReducer, {
    past: [],
    now: graphOf(workflow.headVersion.graph),
    future: [],
  });
  const [chosen, setChosen] = useState(nothingChosen);
  const graph = history.now;
  const scope = useExpressionScope(workflow.id, graph);
  const isChanged = JSON.stringify(graph) !== JSON.stringify(graphOf(base.graph));

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
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (isChanged) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);

  // Faults belong to the graph that was sent: another order of its nodes would place them wrongly.
  const failed = save.isError ? save : check;
  const issues = placeIssues(issuesOf(failed.error), failed.variables?.graph ?? graph);
  const act = (step: (graph: Graph) => Graph): void => change({ change: step });
  const add = (type: string): void => {
    const [next, id] = addNode(graph, type, onlyOf(chosen.nodes));
    act(() => next);
    setChosen(onlyNodes([id]));
  };
  const remove = (): void => {
    act((before) => removeParts(before, chosen));
    setChosen(nothingChosen);
  };
  const paste = (text: string): boolean => {
    const { graph: next, ids } = pasteNodes(graph, text);
    if (ids.length === 0) return false;
    act(() => next);
    setChosen(onlyNodes(ids));
    return true;
  };
  const duplicate = (): void => void paste(copiedNodes(graph, chosen.nodes));
  const editor = useRef<HTMLElement>(null);
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
    change({ reset: graphOf(theirs.graph) });
    setChosen(nothingChosen);
    save.reset();
  };
  const node = graph.nodes.find(({ id }) => id === onlyOf(chosen.nodes));
  const edge = [...chosen.edges].find((at) => chosen.edges.size === 1 && at < graph.edges.length);
  const hasNodes = chosen.nodes.size > 0;
  return (
    <section className="panel" ref={editor} aria-label={workflowsTexts.editor}>
      <div className="row">
        <AddNode onAdd={add} />
        <button type="button" disabled={history.past.length === 0} onClick={() => change('undo')}>
          {workflowsTexts.undo}
        </button>
        <button type="button" disabled={history.future.length === 0} onClick={() => change('redo')}>
          {workflowsTexts.redo}
        </button>
        {hasNodes && (
          <>
            <Copy text={copiedNodes(graph, chosen.nodes)} name={workflowsTexts.copyNodes} />
            <button type="button" onClick={duplicate}>
              {workflowsTexts.duplicate}
            </button>
          </>
        )}
        {(hasNodes || chosen.edges.size > 0) && (
          <button type="button" onClick={remove}>
            {texts.remove}
          </button>
        )}
        <button type="button" disabled={check.isPending} onClick={() => check.mutate({ graph })}>
          {workflowsTexts.checkGraph}
        </button>
        <button
          type="button"
          className="primary"
          disabled={!isChanged || save.isPending}
          onClick={() => save.mutate({ graph, baseVersionId: base.id })}
        >
          {workflowsTexts.save}
        </button>
        {isChanged && <span className="quiet">{lensesTexts.unsaved}</span>}
      </div>
      {issues.length > 0 && !(save.error instanceof ConflictError) ? (
        <IssueList issues={issues} onChoose={setChosen} />
      ) : (
        <SaveFault
          error={failed.error}
          onReload={loadTheirs}
          onOverwrite={async () => save.mutate({ graph, baseVersionId: (await newest()).id })}
        />
      )}
      <div className="graph-editor">
        <GraphCanvas
          graph={graph}
          chosen={chosen}
          marks={marksOf(issues)}
          onChoose={setChosen}
          onConnect={(from, to) => act((before) => connect(before, from, to))}
        />
        <ExpressionScopeContext value={scope}>
          <div>
            {node ? (
              <NodeForm
                key={node.id}
                node={node}
                graph={graph}
                issues={issues.filter((issue) => issue.node === node.id)}
                onChange={act}
                onRemove={remove}
                onChooseEdge={(at) => setChosen({ nodes: new Set(), edges: new Set([at]) })}
              />
            ) : edge !== undefined ? (
              <EdgeForm
                key={edge}
                graph={graph}
                at={edge}
                issues={issues.filter((issue) => issue.edge === edge)}
                onChange={act}
                onRemove={remove}
              />
            ) : (
              <ChooseNode graph={graph} onChoose={(id) => setChosen(onlyNodes([id]))} />
            )}
          </div>
        </ExpressionScopeContext>
      </div>
      {check.isSuccess && <Forecast estimate={check.data} />}
    </section>
  );
}

interface IssueListProps {
  issues: readonly PlacedIssue[];
  onChoose: (selection: Selection) => void;
}

/** The faults of the server; one of a node or an edge opens its form. */
function IssueList({ issues, onChoose }: IssueListProps) {
  return (
    <div className="notice bad" role="alert">
      <ul className="issues">
        {issues.map(({ path, message, node, edge }) => (
          <li key={`${path} ${message}`}>
            {node !== undefined || edge !== undefined ? (
              <button
                type="button"
                onClick={() =>
                  onChoose({
                    nodes: new Set(node === undefined ? [] : [node]),
                    edges: new Set(edge === undefined ? [] : [edge]),
                  })
                }
              >
                {node ?? workflowsTexts.edge}
              </button>
            ) : (
              <code>{path}</code>
            )}{' '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The nodes as a list, for those who cannot use the picture. */
function ChooseNode({ graph, onChoose }: { graph: Graph; onChoose: (id: string) => void }) {
  return (
    <>
      <p className="quiet">{workflowsTexts.choose}</p>
      <div className="row">
        {graph.nodes.map(({ id }) => (
          <button type="button" key={id} onClick={() => onChoose(id)}>
            {id}
          </button>
        ))}
      </div>
      <p className="quiet">{workflowsTexts.keys}</p>
    </>
  );
}
