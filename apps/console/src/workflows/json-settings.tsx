import { useState } from 'react';
import { workflowsTexts } from '../view-texts/workflows';
import { describeFault } from '../ui/fault';
import { parseJson } from './json-text';

/** All settings as JSON. A text that is not JSON stays in the field and changes nothing. */
export function JsonSettings({ settings, onChange }: { settings: unknown; onChange: (settings: unknown) => void }) {
  const stored = JSON.stringify(settings ?? {}, null, 2);
  const [draft, setDraft] = useState<string>();
  const [fault, setFault] = useState<string>();
  const change = (text: string): void => {
    try {
      onChange(parseJson(text));
      setFault(undefined);
    } catch (error) {
      setFault(describeFault(error));
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
