import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { formatJson } from '../ui/format-json';
import { Json } from '../ui/json';
import { Copy } from '../ui/copy';
import { Loaded } from '../ui/states';
import { duration } from '../ui/time';
import { readConversation } from './conversation';

/** Reads what a run, if any, was started with, once: it never changes. */
export function useRunInput(runId: string | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ['run', runId, 'input'],
    queryFn: async () => client.runs.getInput(runId ?? ''),
    enabled: runId !== undefined,
    staleTime: Infinity,
  });
}

/** The parameters of a run, and the options that its caller chose. */
export function RunInputPanel({ runId }: { runId: string }) {
  const input = useRunInput(runId);
  return (
    <section className="panel">
      <h2>{texts.runs.input.title}</h2>
      <Loaded query={input}>
        {(found) => (
          <>
            <Params params={found.params} />
            <Options input={found} />
            {found.messages && (
              <details>
                <summary>{runsTexts.messages}</summary>
                <Messages messages={found.messages} />
              </details>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Params({ params }: Pick<shapes.RunInput, 'params'>) {
  if (params === null) return <p className="quiet">{texts.runs.input.none}</p>;
  const conversation = readConversation(params);
  return (
    <>
      {conversation ? <Messages messages={conversation} /> : <Json value={params} label={texts.runs.input.title} />}
      <Copy text={formatJson(params)} />
    </>
  );
}

const Messages = ({ messages }: { messages: readonly { role: string; text: string }[] }) => (
  <div className="form">
    {messages.map(({ role, text }, at) => (
      // The messages of a run never change their order.
      <div key={at}>
        <p className="quiet">{role}</p>
        <Json value={text} label={role} />
      </div>
    ))}
  </div>
);

/** The options of a run that differ from the defaults. */
export const listOptions = ({ priority, creditLimit, executionMs, sampling, outputSchema }: shapes.RunInput) =>
  [
    [texts.runs.input.priority, priority === 0 ? null : priority],
    [texts.runs.input.creditLimit, creditLimit],
    [texts.runs.input.executionMs, executionMs === null ? null : duration(executionMs)],
    [texts.runs.input.sampling, sampling === null ? null : JSON.stringify(sampling)],
    [texts.runs.input.outputSchema, outputSchema === null ? null : JSON.stringify(outputSchema)],
  ] as const;

function Options({ input }: { input: shapes.RunInput }) {
  const chosen = listOptions(input).filter(([, value]) => value !== null);
  if (chosen.length === 0) return null;
  return (
    <dl className="facts">
      {chosen.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
