import { workflowsTexts } from '../view-texts/workflows';
import { ExpressionField, Faults } from './expression-field';
import { AddNode } from './add-node';
import { type Graph, changeEdge } from './graph';
import { type PlacedIssue, messagesAt } from './issues';

interface Props {
  graph: Graph;
  /** The index of the edge. */
  at: number;
  issues: readonly PlacedIssue[];
  /** The list of node types for a node on the edge is open at first. */
  isInserting: boolean;
  onInsert: (type: string) => void;
  onChange: (step: (graph: Graph) => Graph) => void;
  onRemove: () => void;
}

/** The condition of an edge and the value that it passes on. */
export function EdgeForm({ graph, at, issues, isInserting, onInsert, onChange, onRemove }: Props) {
  const edge = graph.edges[at];
  if (!edge) return null;
  const getText = (member: string): string => (typeof edge[member] === 'string' ? edge[member] : '');
  const change = (member: string, value: string): void =>
    onChange((graph) => changeEdge(graph, at, { [member]: value }));
  return (
    <div className="form">
      <h2>
        {edge.from} → {edge.to}
      </h2>
      <AddNode name={workflowsTexts.insertNode} isOpenAtFirst={isInserting} onAdd={onInsert} />
      <Faults messages={messagesAt(issues, '')} />
      <ExpressionField
        label={workflowsTexts.when}
        hint={`nodes.${edge.from}.status == "succeeded"`}
        value={edge.when ?? ''}
        nodeId={edge.to}
        faults={messagesAt(issues, 'when')}
        onChange={(value) => change('when', value)}
      />
      {(['input', 'output'] as const).map((member) => (
        <div key={member}>
          <label>
            {workflowsTexts.edgeFields[member]}
            <input value={getText(member)} onChange={(event) => change(member, event.currentTarget.value)} />
          </label>
          <Faults messages={messagesAt(issues, member)} />
        </div>
      ))}
      <div>
        <button type="button" className="danger" onClick={onRemove}>
          {workflowsTexts.removeEdge}
        </button>
      </div>
    </div>
  );
}
