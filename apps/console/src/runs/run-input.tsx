import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { Json, formatJson } from '../ui/json';
import { Copy } from '../ui/copy';
import { Loaded } from '../ui/states';
import { duration } from '../ui/time';

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
            {found.params === null ? (
              <p className="quiet">{texts.runs.input.none}</p>
            ) : (
              <>
                <Json value={found.params} label={texts.runs.input.title} />
                <Copy text={formatJson(found.params)} />
              </>
            )}
            <Options input={found} />
            {found.messages && (
              <details>
                <summary>{runsTexts.messages}</summary>
                {found.messages.map(({ role, text }, at) => (
                  // The messages of a run never change their order.
                  <div key={at}>
                    <p className="quiet">{role}</p>
                    <Json value={text} label={role} />
                  </div>
                ))}
              </details>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

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
