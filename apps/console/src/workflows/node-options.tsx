import { workflowsTexts } from '../view-texts/workflows';
import { Faults } from './expression-field';
import type { GraphNode } from './graph';
import { type PlacedIssue, messagesAt } from './issues';
import { retryFields, toSettings, withRetry } from './node-fields';

/** The members of a node whose faults are shown among its options. */
export const optionPaths = ['onError', 'timeoutSeconds', 'retry'];

interface Props {
  node: GraphNode;
  issues: readonly PlacedIssue[];
  onChange: (options: Partial<GraphNode>) => void;
}

/** The effect of a failure of the node, and its limits. */
export function NodeOptions({ node, issues, onChange }: Props) {
  const retry = toSettings(node['retry']);
  const formatNumber = (value: unknown): string => (typeof value === 'number' ? String(value) : '');
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
            value={formatNumber(node['timeoutSeconds'])}
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
              value={formatNumber(retry[name])}
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
