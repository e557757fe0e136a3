import type { RunEvent, shapes } from '@lensforge/sdk';
import { RunNotSucceeded } from './faults.js';
import type { Session } from './session.js';

/** The text of an event for people; undefined for events that say nothing to them. */
export function describeEvent({ eventType, payload }: Pick<RunEvent, 'eventType'> & { payload: unknown }): string {
  const members = payload as Readonly<Record<string, unknown>>;
  const shown = Object.entries(members)
    .filter(([name, value]) => name !== 'nodeId' && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const node = members['nodeKey'] ?? members['nodeId'];
  return [eventType, ...(typeof node === 'string' ? [node] : []), ...shown].join(' ');
}

export const primaryText = ({ artifacts }: shapes.PlatformRunStatus): string => {
  const primary = artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
  if (!primary) return '';
  return primary.contentText ?? (primary.contentJson === undefined ? '' : JSON.stringify(primary.contentJson, null, 2));
};

/** Follows a run to its end and prints its output. On a terminal the answer of a lens appears while it is written. */
export async function followRun(session: Session, runId: string, { live = true } = {}): Promise<void> {
  const { terminal, client, signal } = session;
  const streams = live && terminal.isTerminal && !session.asJson;
  let written = '';
  const onEvent = (event: RunEvent): void => {
    if (event.eventType === 'node.output.delta') {
      if (!streams) return;
      terminal.userText(event.payload.text);
      written += event.payload.text;
    } else {
      terminal.progress(describeEvent(event));
    }
  };
  const onReconnect = ({ message }: Error): void => terminal.progress(`${message}; connecting again`);
  const run = await client.runs.wait(runId, { signal, onEvent, onReconnect }).catch((error: unknown) => {
    if (signal.aborted) terminal.message(`The run continues. Follow it with: lensforge runs watch ${runId}`);
    throw error;
  });
  if (session.asJson) session.show(run, () => '');
  else printOutput(session, run, written);
  if (run.status === 'succeeded') return;
  const reason = run.errorCode ? `: ${run.errorCode} ${run.errorMessage ?? ''}` : '';
  throw new RunNotSucceeded(
    `The run ${run.id} is ${run.status}${reason}`.trimEnd(),
    `See what happened with: lensforge runs logs ${run.id}; try again with: lensforge runs retry ${run.id}`,
  );
}

function printOutput({ terminal }: Session, run: shapes.PlatformRunStatus, written: string): void {
  const output = primaryText(run);
  if (written !== '' && written === output) terminal.data('\n');
  else if (output !== '') terminal.userText(`${written === '' ? '' : '\n'}${output}\n`);
}

/** Prints the events of a log, one in each line, until it ends. */
export async function printEvents<E extends { eventType: string; occurredAt: string; payload: unknown }>(
  session: Session,
  events: AsyncIterable<E>,
): Promise<void> {
  for await (const event of events) {
    if (session.asJson) session.terminal.data(`${JSON.stringify(event)}\n`);
    else
      session.terminal.userText(
        `${event.occurredAt} ${describeEvent(event as unknown as RunEvent).replaceAll('\n', '\\n')}\n`,
      );
  }
}
