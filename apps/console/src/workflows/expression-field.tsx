import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useClient } from '../session/console';
import { useSettled } from '../ui/use-settled';
import { workflowsTexts } from '../view-texts/workflows';
import { matching } from './completions';
import { useCompletions } from './expression-scope';

interface Props {
  label: string;
  value: string;
  hint?: string | undefined;
  /** The node whose expression this is. */
  nodeId: string | undefined;
  faults?: readonly string[];
  onChange: (value: string) => void;
}

/** A field for an expression: completes names, and shows the value with the results of the newest run. */
export function ExpressionField({ label, value, hint, nodeId, faults = [], onChange }: Props) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { scope, all } = useCompletions(nodeId);
  const [cursor, setCursor] = useState<number>();
  const [active, setActive] = useState(0);
  const found = cursor === undefined ? [] : matching(all, value, cursor);
  const isOpen = found.length > 0;
  const take = (index: number): void => {
    const chosen = found[index];
    if (!chosen || cursor === undefined) return;
    onChange(value.slice(0, chosen.from) + chosen.text + value.slice(cursor));
    const end = chosen.from + chosen.text.length;
    setCursor(undefined);
    setActive(0);
    // The cursor can be set after the new text is in the field.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(end, end);
    });
  };
  const press = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!isOpen) return;
    if (step !== undefined) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(active);
    else if (event.key === 'Escape') setCursor(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div className="expression">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        className="code"
        rows={2}
        spellCheck={false}
        placeholder={hint}
        value={value}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        aria-invalid={faults.length > 0}
        aria-describedby={`${id}-value`}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          setCursor(event.currentTarget.selectionStart);
          setActive(0);
        }}
        onKeyDown={press}
        onBlur={() => setCursor(undefined)}
      />
      {isOpen && (
        <ul role="listbox" id={`${id}-list`} aria-label={workflowsTexts.completions}>
          {found.map(({ text, about }, index) => (
            <li
              key={text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // A press must not take the focus out of the field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(index)}
            >
              <code>{text}</code> <span className="quiet">{about}</span>
            </li>
          ))}
        </ul>
      )}
      <Faults messages={faults} />
      <div id={`${id}-value`} className="quiet expression-value" role="status">
        {scope?.runId !== undefined && value.trim() !== '' && (
          <Preview workflowId={scope.workflowId} runId={scope.runId} nodeId={nodeId} expression={value} />
        )}
      </div>
    </div>
  );
}

/** Messages of the server about a field. */
export const Faults = ({ messages }: { messages: readonly string[] }) =>
  messages.map((message) => (
    <p key={message} className="notice bad">
      {message}
    </p>
  ));

interface PreviewProps {
  workflowId: string;
  runId: string;
  nodeId: string | undefined;
  expression: string;
}

function Preview({ workflowId, runId, nodeId, expression }: PreviewProps) {
  const client = useClient();
  const settled = useSettled(expression);
  const { data } = useQuery({
    queryKey: ['expression', workflowId, runId, nodeId, settled],
    queryFn: async () =>
      client.workflows.evaluateExpression(workflowId, { expression: settled, runId, ...(nodeId && { nodeId }) }),
    placeholderData: keepPreviousData,
  });
  if (!data) return null;
  const text = data.fault ? data.fault.message : JSON.stringify(data.value);
  return (
    <>
      {data.fault ? workflowsTexts.noValue : workflowsTexts.lastValue}{' '}
      <code>{text.length > 300 ? `${text.slice(0, 299)}…` : text}</code>
    </>
  );
}
