import {
  agentEvents,
  battleEvents,
  endedBattleStatuses,
  endedExperimentStatuses,
  experimentEvents,
  platformEvents,
  runEvents,
  terminalStatuses,
  threadEvents,
} from '@lensforge/contracts';
import { code, membersInline, table } from './markdown.js';

const eventTable = (events: Readonly<Record<string, Parameters<typeof membersInline>[0]>>, members: string): string =>
  table(
    ['Event', members],
    Object.entries(events).map(([name, shape]) => [code(name), membersInline(shape)]),
  );

/** docs/events.md */
export const eventsPage = (): string => `# Events

<!-- Written by \`npm run generate\` from libs/contracts. -->

## The stream of a run

\`GET /v1/runs/{runId}/events\` answers with server-sent events, one frame for each stored event, in order:

\`\`\`
id: 2
event: run.started
data: {"eventType":"run.started","payload":{"attempt":1},"occurredAt":"…","runId":"…","sequence":2}
\`\`\`

- \`id\` is the run's own sequence number: it starts at 1 and has no gaps.
- After the event that ends the run (${terminalStatuses.map((status) => code(status)).join(', ')}) one last frame
  \`event: done\` carries \`{"eventType":"done","payload":{"status":"…"},"occurredAt":"…"}\`, and the stream closes.
- With \`Last-Event-ID\` the stream goes on after that id. After \`done\` the answer is 204, which tells an
  \`EventSource\` to stop. A value that is not a number of at most nine digits starts from the beginning. While the
  run has not ended, an id beyond its last event means that event: the stream goes on with the next one.
- A comment line keeps an idle connection alive every 15 seconds.

${eventTable(runEvents, 'Payload')}

## The stream of a battle

\`GET /v1/battles/{battleId}/events\` answers in the same way, to everybody who finds the battle: frames with \`battleId\` instead of \`runId\`.

- The stream ends when the battle is ${endedBattleStatuses.map((status) => code(status)).join(', ')} and all events are sent: with \`event: done\`, which carries the
  status and the \`id\` of the last event. A battle that is published later has one more event; a request after the last one is answered with 204.
- No event says which contender it concerns, since voters read them, too. Votes are counted at most once a second.

${eventTable(battleEvents, 'Payload')}

## The stream of an experiment

\`GET /v1/experiments/{experimentId}/events\` answers its owner in the same way: frames with \`experimentId\` instead of \`runId\`.

- The stream ends when the experiment is ${endedExperimentStatuses.map((status) => code(status)).join(', ')}, with \`event: done\` as that of a battle. One that is
  resumed later has more events. Scored cells are counted at most once a second.

${eventTable(experimentEvents, 'Payload')}

## The stream of an AI lenser

\`GET /v1/agents/{aiLenserId}/events\` answers its owner in the same way: frames with \`aiLenserId\`, and with \`runId\` for events of a run.

- The stream ends when the AI lenser is archived: with \`event: done\`, which carries \`archived\` and the \`id\` of the last event. A run that takes
  time to stop may have one more event.

${eventTable(agentEvents, 'Payload')}

## The stream of a thread

\`GET /v1/threads/{threadId}/events\` answers in the same way, to everybody who finds the thread: frames with \`threadId\`.

- An event of a message has the message as it is when the event is sent, so that no event repeats a text that was deleted or hidden since. Hidden
  texts are \`null\` in the stream also for moderators.
- The stream ends when the thread is closed and all events are sent: with \`event: done\`, which carries the \`id\` of the last event. A thread that was
  reopened goes on after it; while it is closed, a request after the last event is answered with 204.
- A stream is closed within seconds when its caller may no longer see the thread.

${eventTable(threadEvents, 'Payload')}

## Platform events

What a webhook subscription can be told. The body of a delivery is \`{id, event, timestamp, data, signature}\`; \`id\` is the
same on every attempt, so a receiver deduplicates by it.

${eventTable(platformEvents, 'Members of `data`')}
`;
