import { useState } from 'react';
import { texts } from '../texts';
import { workflowsTexts } from '../view-texts/workflows';
import { messageOf } from '../ui/fault';
import { ExpressionField, Faults } from './expression-field';
import type { Graph, GraphNode } from './graph';
import { changeNode, connect, disconnect } from './graph';
import type { PlacedIssue } from './issues';
import { messagesAt } from './issues';
import { parseJson } from './json-text';
import type { NodeField } from './node-fields';
import {
  expressionOfField,
  nodeFields,
  retryFields,
  settingsOf,
  textOfField,
  withExpression,
  withField,
  withRetry,
} from './node-fields';

interface Props {
  node: GraphNode;
  graph: Graph;
  /** The faults that the server found in this node. */
  issues: readonly PlacedIssue[];
  onChange: (step: (graph: Graph) => Graph) => void;
  onRemove: () => void;
  onChooseEdge: (index: number) => void;
}

/** Title, settings, options and edges of a node. */
export function NodeForm({ node, graph, issues, onChange, onRemove, onChooseEdge }: Props) {
  const before = new Set(graph.edges.filter(({ to }) => to === node.id).map(({ from }) => from));
  const fields = (nodeFields[node.type] ?? []).map(({ name }) => `settings.${name}`);
  const unplaced = issues.filter(
    (issue) => ![...fields, ...optionPaths].some((path) => messagesAt([issue], path).length > 0),
  );
  const changeSettings = (settings: unknown): void => onChange((graph) => changeNode(graph, node.id, { settings }));
  return (
    <div className="form">
      <h2>
        {node.id} <span className="quiet">{node.type}</span>
      </h2>
      <Faults messages={unplaced.map(({ message }) => message)} />
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
        <Field
          key={field.name}
          field={field}
          nodeId={node.id}
          settings={settingsOf(node.settings)}
          faults={messagesAt(issues, `settings.${field.name}`)}
          onChange={changeSettings}
        />
      ))}
      <JsonSettings settings={node.settings} onChange={changeSettings} />
      <Options
        node={node}
        issues={issues}
        onChange={(options) => onChange((graph) => changeNode(graph, node.id, options))}
      />
      <fieldset>
        <legend>{workflowsTexts.connectTo}</legend>
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
      <EdgeButtons graph={graph} id={node.id} onChoose={onChooseEdge} />
      <div>
        <button type="button" className="danger" onClick={onRemove}>
          {workflowsTexts.removeNode}
        </button>
      </div>
    </div>
  );
}

const optionPaths = ['onError', 'timeoutSeconds', 'retry'];

interface OptionsProps {
  node: GraphNode;
  issues: readonly PlacedIssue[];
  onChange: (options: Partial<GraphNode>) => void;
}

/** The effect of a failure of the node, and its limits. */
function Options({ node, issues, onChange }: OptionsProps) {
  const retry = settingsOf(node['retry']);
  const numberOf = (value: unknown): string => (typeof value === 'number' ? String(value) : '');
  return (
    <details open={optionPaths.some((path) => messagesAt(issues, path).length > 0) || undefined}>
      <summary>{workflowsTexts.options}</summary>
      <div className="form">
        <label>
          {workflowsTexts.onError}
          <select
            value={node['onError'] === 'continue' ? 'continue' : 'fail'}
            onChange={(event) => onChange({ onError: event.currentTarget.value })}
          >
            {(['fail', 'continue'] as const).map((each) => (
              <option key={each} value={each}>
                {workflowsTexts.onErrors[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {workflowsTexts.timeoutSeconds}
          <input
            type="number"
            min={1}
            value={numberOf(node['timeoutSeconds'])}
            onChange={({ currentTarget: { value } }) =>
              onChange({ timeoutSeconds: value === '' ? undefined : Number(value) })
            }
          />
        </label>
        {retryFields.map((name) => (
          <label key={name}>
            {workflowsTexts.retry[name]}
            <input
              type="number"
              min={0}
              value={numberOf(retry[name])}
              onChange={(event) => onChange({ retry: withRetry(node['retry'], name, event.currentTarget.value) })}
            />
          </label>
        ))}
        {optionPaths.map((path) => (
          <Faults key={path} messages={messagesAt(issues, path)} />
        ))}
      </div>
    </details>
  );
}

interface EdgeButtonsProps {
  graph: Graph;
  id: string;
  onChoose: (index: number) => void;
}

/** The edges of a node, to change their conditions. */
function EdgeButtons({ graph, id, onChoose }: EdgeButtonsProps) {
  const edges = graph.edges.flatMap((edge, index) => (edge.from === id || edge.to === id ? [{ ...edge, index }] : []));
  if (edges.length === 0) return null;
  return (
    <div className="row" role="group" aria-label={workflowsTexts.edges}>
      {edges.map(({ from, to, when, index }) => (
        <button type="button" key={index} onClick={() => onChoose(index)}>
          {from} → {to} {when !== undefined && <span className="quiet">{workflowsTexts.conditional}</span>}
        </button>
      ))}
    </div>
  );
}

interface FieldProps {
  nodeId: string;
  faults: readonly string[];
  field: NodeField;
  settings: Readonly<Record<string, unknown>>;
  onChange: (settings: unknown) => void;
}

function Field({ field, nodeId, settings, faults, onChange }: FieldProps) {
  const { name, kind, hint } = field;
  const label = workflowsTexts.fields[name];
  const text = textOfField(settings, field);
  const change = (value: string | boolean): void => onChange(withField(settings, field, value));
  const expression = expressionOfField(settings, field);
  if (field.expression === 'always' || (field.expression === 'optional' && expression !== undefined)) {
    const isMember = expression !== undefined && field.expression === 'optional';
    return (
      <div>
        <ExpressionField
          label={isMember ? `${label} (${workflowsTexts.anExpression})` : label}
          hint={hint}
          value={expression ?? text ?? ''}
          nodeId={nodeId}
          faults={faults}
          onChange={(value) => (isMember ? onChange(withExpression(settings, field, value)) : change(value))}
        />
        {isMember && (
          <button type="button" className="quiet" onClick={() => change('')}>
            {workflowsTexts.useValue}
          </button>
        )}
      </div>
    );
  }
  if (text === undefined) {
    return (
      <p className="quiet">
        {label}: {workflowsTexts.expression}
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
  const common = { value: text, placeholder: hint, 'aria-invalid': faults.length > 0 };
  return (
    <div>
      <label>
        {label}
        {kind === 'long' ? (
          <textarea {...common} rows={3} onChange={(event) => change(event.currentTarget.value)} />
        ) : kind === 'text' || kind === 'number' ? (
          <input {...common} type={kind} onChange={(event) => change(event.currentTarget.value)} />
        ) : (
          <select value={text} onChange={(event) => change(event.currentTarget.value)}>
            <option value="">{workflowsTexts.usual}</option>
            {kind.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </label>
      <Faults messages={faults} />
      {field.expression === 'optional' && (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            onChange(withExpression(settings, field, kind === 'number' ? text : text && JSON.stringify(text)))
          }
        >
          {workflowsTexts.useExpression} <span className="hidden">{label}</span>
        </button>
      )}
    </div>
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
      <summary>{workflowsTexts.settings}</summary>
      <textarea
        className="code"
        aria-label={workflowsTexts.settings}
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
