import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useEffect, useReducer, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { SaveFault } from '../ui/save-fault';
import type { Graph } from './graph';
import { addNode, connect, disconnect, graphOf, historyReducer, nodeTypes, removeNode } from './graph';
import { GraphCanvas } from './graph-canvas';
import { NodeForm } from './node-form';

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
    mutationFn: async (body: { graph: Graph; baseVersionId: string }) => client.workflows.saveGraph(workflow.id, body),
    onSuccess: async (saved, { graph }) => {
      setBase({ ...saved, graph });
      await queries.invalidateQueries({ queryKey: ['workflow', workflow.id] });
    },
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

  const act = (step: (graph: Graph) => Graph): void => change({ change: step });
  const add = (): void => {
    const [next, id] = addNode(graph, type, chosen);
    act(() => next);
    setChosen(id);
  };
  const loadTheirs = async (): Promise<void> => {
    const theirs = await newest();
    setBase(theirs);
    change({ reset: graphOf(theirs.graph) });
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
          onClick={() => save.mutate({ graph, baseVersionId: base.id })}
        >
          {texts.workflows.save}
        </button>
        {isChanged && <span className="quiet">{texts.lenses.unsaved}</span>}
      </div>
      <SaveFault
        error={save.error}
        onReload={loadTheirs}
        onOverwrite={async () => save.mutate({ graph, baseVersionId: (await newest()).id })}
      />
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
