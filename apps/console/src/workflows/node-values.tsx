import { workflowsTexts } from '../view-texts/workflows';
import { ExpressionField, Faults } from './expression-field';
import type { Graph, GraphNode } from './graph';
import { type PlacedIssue, messagesAt } from './issues';
import { expressionOfField, toSettings } from './node-fields';
import { SettingField } from './setting-field';
import { useWantedValues } from './use-wanted-values';
import { givers, isGiver } from './wanted-values';

interface Props {
  node: GraphNode;
  graph: Graph;
  issues: readonly PlacedIssue[];
  onChange: (settings: unknown) => void;
}

/** A field for each parameter of the lens of a node, or for each input of its workflow. */
export function NodeValues({ node, graph, issues, onChange }: Props) {
  const wanted = useWantedValues(node);
  if (!isGiver(node.type)) return null;
  const member = givers[node.type].values;
  const settings = toSettings(node.settings);
  const whole = expressionOfField(settings, { name: member });
  const values = toSettings(settings[member]);
  const change = (values: unknown): void => onChange({ ...settings, [member]: values });
  if (whole !== undefined)
    return (
      <ExpressionField
        label={workflowsTexts.values[member]}
        value={whole}
        nodeId={node.id}
        faults={messagesAt(issues, `settings.${member}`)}
        onChange={(text) => change({ $: text })}
      />
    );
  const known = new Set(wanted?.map(({ name }) => name));
  const others = Object.keys(values).filter((name) => !known.has(name));
  const all = [...(wanted ?? []), ...others.map((name) => ({ name, isOptional: true, about: undefined }))];
  if (all.length === 0) return null;
  const sources = new Map(graph.edges.flatMap(({ from, to, input }) => (to === node.id ? [[input, from]] : [])));
  return (
    <fieldset>
      <legend>{workflowsTexts.values[member]}</legend>
      <Faults
        messages={issues.filter((issue) => issue.member === `settings.${member}`).map(({ message }) => message)}
      />
      {all.map(({ name, isOptional, about }) => (
        <div key={name}>
          {sources.has(name) ? (
            <p>
              {name} <span className="quiet">{workflowsTexts.fromEdge(sources.get(name) ?? '')}</span>
            </p>
          ) : (
            <SettingField
              field={{
                name,
                kind: 'long',
                expression: 'optional',
                hint: isOptional ? workflowsTexts.optional : undefined,
              }}
              label={name}
              nodeId={node.id}
              settings={values}
              faults={messagesAt(issues, `settings.${member}.${name}`)}
              onChange={change}
            />
          )}
          {about !== undefined && <p className="quiet">{about}</p>}
          {wanted && !known.has(name) && <p className="notice bad">{workflowsTexts.unwanted[member](name)}</p>}
        </div>
      ))}
    </fieldset>
  );
}
