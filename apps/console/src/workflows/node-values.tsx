import { workflowsTexts } from '../view-texts/workflows';
import { ExpressionField, Faults } from './expression-field';
import type { Graph, GraphNode } from './graph';
import { type PlacedIssue, messagesAt } from './issues';
import { expressionOfField, toSettings } from './node-fields';
import { SettingField } from './setting-field';
import { useWantedValues } from './use-wanted-values';
import { givenName, givers, isGiver } from './wanted-values';

interface Props {
  node: GraphNode;
  graph: Graph;
  issues: readonly PlacedIssue[];
  onChange: (settings: unknown) => void;
}

/** A field for each parameter of the lens of a node, or for each input of its workflow. */
export function NodeValues({ node, graph, issues, onChange }: Props) {
  const wanted = useWantedValues(node);
  const { type } = node;
  if (!isGiver(type)) return null;
  const member = givers[type].values;
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
  const sources = new Map(
    graph.edges.flatMap(({ from, to, input }) =>
      to === node.id && typeof input === 'string' ? [[input, from] as const] : [],
    ),
  );
  const given = Object.keys(values);
  const known = (wanted ?? []).map((value) => ({
    ...value,
    key: givenName(type, value.name, given) ?? value.name,
    source: sources.get(givenName(type, value.name, sources.keys()) ?? ''),
  }));
  const keys = new Set(known.map(({ key }) => key));
  const others = given
    .filter((key) => !keys.has(key))
    .map((key) => ({
      key,
      name: key,
      source: undefined,
      isOptional: true,
      about: wanted && workflowsTexts.unwanted[member](key),
    }));
  const all = [...known, ...others];
  if (all.length === 0) return null;
  return (
    <fieldset>
      <legend>{workflowsTexts.values[member]}</legend>
      <Faults
        messages={issues.filter((issue) => issue.member === `settings.${member}`).map(({ message }) => message)}
      />
      {all.map(({ key, name, source, isOptional, about }) => (
        <div key={key}>
          {source !== undefined ? (
            <p>
              {name} <span className="quiet">{workflowsTexts.fromEdge(source)}</span>
            </p>
          ) : (
            <SettingField
              field={{
                name: key,
                kind: 'long',
                expression: 'optional',
                hint: isOptional ? workflowsTexts.optional : undefined,
              }}
              label={name}
              nodeId={node.id}
              settings={values}
              faults={messagesAt(issues, `settings.${member}.${key}`)}
              onChange={change}
            />
          )}
          {about !== undefined && <p className={keys.has(key) ? 'quiet' : 'notice bad'}>{about}</p>}
        </div>
      ))}
    </fieldset>
  );
}
