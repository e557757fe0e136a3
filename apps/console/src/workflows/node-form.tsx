import { texts } from '../texts';
import { workflowsTexts } from '../view-texts/workflows';
import { Faults } from './expression-field';
import { type Graph, type GraphNode, changeNode } from './graph';
import { type PlacedIssue, messagesAt } from './issues';
import { JsonSettings } from './json-settings';
import { graphOfMap } from './map-graph';
import { NodeEdges } from './node-edges';
import { nodeFields, toSettings } from './node-fields';
import { NodeId } from './node-id';
import { NodeOptions, optionPaths } from './node-options';
import { NodeTrial } from './node-trial';
import { NodeValues } from './node-values';
import { idFault } from './rename-node';
import { SettingField } from './setting-field';
import { givers, isGiver } from './wanted-values';

interface Props {
  node: GraphNode;
  graph: Graph;
  /** The faults that the server found in this node. */
  issues: readonly PlacedIssue[];
  onChange: (step: (graph: Graph) => Graph) => void;
  onRename: (id: string) => void;
  onRemove: () => void;
  onChooseEdge: (index: number) => void;
  /** Opens the graph of a map. */
  onOpen: () => void;
}

/** Id, title, settings, options and edges of a node. */
export function NodeForm({ node, graph, issues, onChange, onRename, onRemove, onChooseEdge, onOpen }: Props) {
  const fields = nodeFields[node.type] ?? [];
  const names = [...fields.map(({ name }) => name), ...(isGiver(node.type) ? [givers[node.type].values] : [])];
  const placed = [...names.map((name) => `settings.${name}`), ...optionPaths];
  const unplaced = issues.filter((issue) => !placed.some((path) => messagesAt([issue], path).length > 0));
  const changeSettings = (settings: unknown): void => onChange((graph) => changeNode(graph, node.id, { settings }));
  return (
    <div className="form">
      <h2>
        {node.id} <span className="quiet">{node.type}</span>
      </h2>
      <Faults messages={[...new Set(unplaced.map(({ message }) => message))]} />
      {node.type === 'map' && (
        <div>
          <button type="button" onClick={onOpen}>
            {workflowsTexts.openMap(graphOfMap(node).nodes.length)}
          </button>
        </div>
      )}
      <label>
        {texts.name}
        <input
          value={node.title ?? ''}
          onChange={(event) => {
            const title = event.currentTarget.value;
            onChange((graph) => changeNode(graph, node.id, { title }));
          }}
        />
      </label>
      <NodeId id={node.id} faultOf={(id) => idFault(graph, node.id, id)} onRename={onRename} />
      {fields.map((field) => (
        <SettingField
          key={field.name}
          field={field}
          label={workflowsTexts.fields[field.label ?? field.name]}
          nodeId={node.id}
          settings={toSettings(node.settings)}
          faults={messagesAt(issues, `settings.${field.name}`)}
          onChange={changeSettings}
        />
      ))}
      <NodeValues node={node} graph={graph} issues={issues} onChange={changeSettings} />
      <JsonSettings settings={node.settings} onChange={changeSettings} />
      <NodeOptions
        node={node}
        issues={issues}
        onChange={(options) => onChange((graph) => changeNode(graph, node.id, options))}
      />
      <NodeTrial id={node.id} />
      <NodeEdges graph={graph} id={node.id} onChange={onChange} onChoose={onChooseEdge} />
      <div>
        <button type="button" className="danger" onClick={onRemove}>
          {workflowsTexts.removeNode}
        </button>
      </div>
    </div>
  );
}
