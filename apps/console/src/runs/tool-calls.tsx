import type { shapes } from '@lensforge/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readSectionValue } from '../lenses/template';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Json } from '../ui/json';
import { Time } from '../ui/time';

/** The tool calls that a run waits for, each with a field for its result. */
export const ToolCalls = ({ run: { id, requiredAction } }: { run: shapes.PlatformRunStatus }) =>
  (requiredAction?.calls ?? []).map((call) => <ToolCall key={call.callId} runId={id} call={call} />);

function ToolCall({ runId, call }: { runId: string; call: shapes.RequiredCall }) {
  const { callId, name, input, expiresAt } = call;
  const client = useClient();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const answer = async (result: { output: unknown } | { error: string }): Promise<void> => {
    await client.runs.answerToolCalls(runId, { results: [{ callId, ...result }] });
    await queries.invalidateQueries({ queryKey: ['run', runId] });
  };
  return (
    <section className="panel">
      <h2>
        {texts.runs.toolCall} <code>{name}</code>
      </h2>
      <p className="quiet">
        {texts.runs.resultUntil} <Time at={expiresAt} />
      </p>
      <Json value={input} label={name} />
      <div className="form">
        <label>
          {texts.runs.toolResult}
          <textarea
            rows={4}
            maxLength={100_000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div className="row">
          <Action className="primary" disabled={text === ''} onAct={() => answer({ output: readSectionValue(text) })}>
            {texts.runs.giveResult}
          </Action>
          <Action disabled={text === ''} onAct={() => answer({ error: text.slice(0, 10_000) })}>
            {texts.runs.giveError}
          </Action>
        </div>
      </div>
    </section>
  );
}
