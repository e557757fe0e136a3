import { useState } from 'react';
import { texts } from '../texts';
import { messageOf } from '../ui/fault';
import type { Graph, GraphNode } from './graph';
import { changeNode, connect, disconnect } from './graph';
import { parseJson } from './json-text';
import type { NodeField } from './node-fields';
import { nodeFields, settingsOf, textOfField, withField } from './node-fields';

interface Props {
  node: GraphNode;
  graph: Graph;
  onChange: (step: (graph: Graph) => Graph) => void;
  onRemove: () => void;
}

/** Title, settings and predecessors of a node. */
export function NodeForm({ node, graph, onChange, onRemove }: Props) {
  const before = new Set(graph.edges.filter(({ to }) => to === node.id).map(({ from }) => from));
  const changeSettings = (settings: unknown): void => onChange((graph) => changeNode(graph, node.id, { settings }));
  return (
    <div className="form">
      <h2>
        {node.id} <span className="quiet">{node.type}</span>
      </h2>
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
      {(nodeFields[node.type] ?? []).map((field) => (
        <Field key={field.name} field={field} settings={settingsOf(node.settings)} onChange={changeSettings} />
      ))}
      <JsonSettings settings={node.settings} onChange={changeSettings} />
      <fieldset>
        <legend>{texts.workflows.connectTo}</legend>
        {graph.nodes
          .filter(({ id }) => id !== node.id)
          .map(({ id }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={before.has(id)}
                onChange={(event) => {
                  const step = event.currentTarget.checked ? connect : disconnect;
                  onChange((graph) => step(graph, id, node.id));
                }}
              />{' '}
              {id}
            </label>
          ))}
      </fieldset>
      <div>
        <button type="button" className="danger" onClick={onRemove}>
          {texts.workflows.removeNode}
        </button>
      </div>
    </div>
  );
}

interface FieldProps {
  field: NodeField;
  settings: Readonly<Record<string, unknown>>;
  onChange: (settings: unknown) => void;
}

function Field({ field, settings, onChange }: FieldProps) {
  const { name, kind, hint } = field;
  const label = texts.workflows.fields[name];
  const text = textOfField(settings, field);
  const change = (value: string | boolean): void => onChange(withField(settings, field, value));
  if (text === undefined) {
    return (
      <p className="quiet">
        {label}: {texts.workflows.expression}
      </p>
    );
  }
  if (kind === 'flag') {
    return (
      <label>
        <input type="checkbox" checked={text === 'true'} onChange={(event) => change(event.currentTarget.checked)} />{' '}
        {label}
      </label>
    );
  }
  const common = { value: text, placeholder: hint };
  return (
    <label>
      {label}
      {kind === 'long' ? (
        <textarea {...common} rows={3} onChange={(event) => change(event.currentTarget.value)} />
      ) : kind === 'text' || kind === 'number' ? (
        <input {...common} type={kind} onChange={(event) => change(event.currentTarget.value)} />
      ) : (
        <select value={text} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{texts.workflows.usual}</option>
          {kind.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
    </label>
  );
}

/** All settings as JSON. A text that is not JSON stays in the field and changes nothing. */
function JsonSettings({ settings, onChange }: { settings: unknown; onChange: (settings: unknown) => void }) {
  const stored = JSON.stringify(settings ?? {}, null, 2);
  const [draft, setDraft] = useState<string>();
  const [fault, setFault] = useState<string>();
  const change = (text: string): void => {
    try {
      onChange(parseJson(text));
      setFault(undefined);
    } catch (error) {
      setFault(messageOf(error));
    }
    setDraft(text);
  };
  return (
    <details>
      <summary>{texts.workflows.settings}</summary>
      <textarea
        className="code"
        aria-label={texts.workflows.settings}
        rows={10}
        spellCheck={false}
        aria-invalid={fault !== undefined}
        value={draft ?? stored}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => fault === undefined && setDraft(undefined)}
      />
      {fault !== undefined && (
        <p role="alert" className="notice bad">
          {fault}
        </p>
      )}
    </details>
  );
}
