import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useEffect, useReducer, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { messageOf } from '../ui/fault';
import type { Graph } from './graph';
import { addNode, connect, disconnect, graphOf, historyReducer, nodeTypes, removeNode } from './graph';
import { GraphCanvas } from './graph-canvas';
import { NodeForm } from './node-form';

/** Thrown when another version was saved after this editor was opened. */
class SavedMeanwhile extends Error {
  constructor(readonly workflow: shapes.WorkflowRecord) {
    super(texts.workflows.conflict);
  }
}

/** Changes the graph of a workflow. Nothing is sent before it is saved, and nothing is lost when that fails. */
export function GraphEditor({ workflow }: { workflow: shapes.WorkflowRecord }) {
  const client = useClient();
  const queries = useQueryClient();
  const [base, setBase] = useState(workflow.headVersion);
  const [history, change] = useReducer(historyReducer, {
    past: [],
    now: graphOf(workflow.headVersion.graph),
    future: [],
  });
  const [chosen, setChosen] = useState<string>();
  const [type, setType] = useState<string>(nodeTypes[0]);
  const graph = history.now;
  const isChanged = JSON.stringify(graph) !== JSON.stringify(graphOf(base.graph));

  const save = useMutation({
    mutationFn: async (over: boolean): Promise<shapes.WorkflowVersionRecord> => {
      const newest = await client.workflows.get(workflow.id);
      if (!over && newest.headVersion.id !== base.id) throw new SavedMeanwhile(newest);
      return client.workflows.saveGraph(workflow.id, { graph });
    },
    onSuccess: async (saved) => {
      setBase({ ...saved, graph });
      await queries.invalidateQueries({ queryKey: ['workflow', workflow.id] });
    },
  });
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (isChanged) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);

  const act = (step: (graph: Graph) => Graph): void => change({ change: step });
  const add = (): void => {
    const [next, id] = addNode(graph, type, chosen);
    act(() => next);
    setChosen(id);
  };
  const conflict = save.error instanceof SavedMeanwhile ? save.error : undefined;
  const loadTheirs = (theirs: shapes.WorkflowRecord): void => {
    setBase(theirs.headVersion);
    change({ reset: graphOf(theirs.headVersion.graph) });
    save.reset();
  };
  const node = graph.nodes.find(({ id }) => id === chosen);
  return (
    <section className="panel">
      <div className="row">
        <select
          aria-label={texts.workflows.nodeType}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
        >
          {nodeTypes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <button type="button" onClick={add}>
          {texts.workflows.addNode}
        </button>
        <button type="button" disabled={history.past.length === 0} onClick={() => change('undo')}>
          {texts.workflows.undo}
        </button>
        <button type="button" disabled={history.future.length === 0} onClick={() => change('redo')}>
          {texts.workflows.redo}
        </button>
        <button
          type="button"
          className="primary"
          disabled={!isChanged || save.isPending}
          onClick={() => save.mutate(false)}
        >
          {texts.workflows.save}
        </button>
        {isChanged && <span className="quiet">{texts.lenses.unsaved}</span>}
      </div>
      {conflict && (
        <div className="notice bad" role="alert">
          <p>{conflict.message}</p>
          <div className="row">
            <button type="button" onClick={() => loadTheirs(conflict.workflow)}>
              {texts.workflows.reload}
            </button>
            <button type="button" onClick={() => save.mutate(true)}>
              {texts.workflows.overwrite}
            </button>
          </div>
        </div>
      )}
      {save.isError && !conflict && (
        <p className="notice bad" role="alert">
          {messageOf(save.error)}
        </p>
      )}
      <div className="columns">
        <GraphCanvas
          graph={graph}
          chosen={chosen}
          onChoose={setChosen}
          onConnect={(from, to) => act((before) => connect(before, from, to))}
          onDisconnect={(from, to) => act((before) => disconnect(before, from, to))}
        />
        <div>
          {node ? (
            <NodeForm
              key={node.id}
              node={node}
              graph={graph}
              onChange={act}
              onRemove={() => {
                act((before) => removeNode(before, node.id));
                setChosen(undefined);
              }}
            />
          ) : (
            <ChooseNode graph={graph} onChoose={setChosen} />
          )}
        </div>
      </div>
    </section>
  );
}

/** The nodes as a list, for those who cannot use the picture. */
function ChooseNode({ graph, onChoose }: { graph: Graph; onChoose: (id: string) => void }) {
  return (
    <>
      <p className="quiet">{texts.workflows.choose}</p>
      <div className="row">
        {graph.nodes.map(({ id }) => (
          <button type="button" key={id} onClick={() => onChoose(id)}>
            {id}
          </button>
        ))}
      </div>
    </>
  );
}
