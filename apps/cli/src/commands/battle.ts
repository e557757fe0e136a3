import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { UsageFault } from '../faults.js';
import { printEvents } from '../follow-run.js';
import { fields, table, time } from '../layout.js';
import { needed } from '../session.js';
import { printable } from '../terminal.js';

const types = [
  'ai_vs_ai',
  'human_vs_human_ai_votes',
  'human_vs_human_open_votes',
  'human_vs_ai',
  'workflow_battle',
  'lenser_battle',
] as const;
const modes = ['community_vote', 'ai_judge', 'rubric_score', 'auto_score'] as const;
const statuses = ['open', 'executing', 'voting', 'scoring', 'closed', 'published', 'archived'] as const;

const list: Command = {
  name: 'battle ls',
  summary: 'List battles',
  options: {
    ...limitOption,
    status: { value: 'status', oneOf: ['draft', ...statuses], summary: 'battles with this status' },
  },
  async run(session, input) {
    const status = input.text('status') as shapes.BattleSummary['status'] | undefined;
    await session.showList(
      (limit) => session.client.battles.list({ limit, status }, session.call),
      [
        ['id', ({ id }) => id],
        ['title', ({ title }) => title],
        ['type', ({ battleType }) => battleType],
        ['status', ({ status: each }) => each],
        ['contenders', ({ contenderCount }) => contenderCount],
        ['created', ({ createdAt }) => time(createdAt)],
      ],
      'No battle matches',
    );
  },
};

const describe = (battle: shapes.Battle): string =>
  [
    fields({
      id: battle.id,
      title: battle.title,
      type: battle.battleType,
      status: battle.status,
      judging: battle.judgingMode,
      votes: battle.votes,
      winner: battle.winner ?? undefined,
      warnings: battle.warnings.length > 0 ? battle.warnings.join('; ') : undefined,
    }),
    '',
    printable(battle.taskPrompt),
    '',
    table(
      [
        ['contender', ({ id }) => id],
        ['name', ({ displayName }) => displayName],
        ['type', ({ contenderType }) => contenderType],
        ['submitted', ({ submitted }) => submitted],
        ['rank', ({ rank }) => rank],
      ],
      battle.contenders,
    ),
    ...(battle.ballot ?? []).flatMap((entry) => ['', printable(JSON.stringify(entry, null, 2))]),
  ].join('\n');

const get: Command = {
  name: 'battle get',
  summary: 'Show a battle, with your ballot while it is voting',
  args: ['id'],
  async run(session, input) {
    const battle = await session.client.battles.get(input.arg('id'), session.call);
    session.show(battle, () => describe(battle));
  },
};

const create: Command = {
  name: 'battle create',
  summary: 'Create a battle in draft',
  options: {
    title: { value: 'text', summary: 'the title' },
    task: { value: 'text', summary: 'the task of all contenders' },
    type: { value: 'type', oneOf: types, summary: 'who competes and votes' },
    judging: { value: 'mode', oneOf: modes, summary: 'how answers are compared' },
  },
  async run(session, input) {
    const battleType = input.text('type') as (typeof types)[number] | undefined;
    const judgingMode = input.text('judging') as (typeof modes)[number] | undefined;
    const body = {
      title: needed(input, 'title', "'Haiku'"),
      taskPrompt: needed(input, 'task', "'Write a haiku.'"),
      ...(battleType && { battleType }),
      ...(judgingMode && { judgingMode }),
    };
    const battle = await session.client.battles.create(body, session.call);
    session.show(battle, () => battle.id);
  },
};

const enter: Command = {
  name: 'battle enter',
  summary: 'Add a contender',
  args: ['id', 'profile'],
  options: {
    as: { value: 'kind', oneOf: ['human', 'ai_model', 'ai_agent'], summary: 'the kind of the contender' },
    name: { value: 'text', summary: 'the display name' },
    lens: { value: 'id', summary: 'the lens that writes the answer' },
    workflow: { value: 'id', summary: 'the workflow that writes the answer' },
  },
  async run(session, input) {
    const [lensId, workflowId] = [input.text('lens'), input.text('workflow')];
    const body = {
      contenderType: needed(input, 'as', 'ai_agent') as shapes.NewContenderRequest['contenderType'],
      displayName: needed(input, 'name', 'Robot'),
      contenderRefId: input.arg('profile'),
      ...(lensId !== undefined && { lensId }),
      ...(workflowId !== undefined && { workflowId }),
    };
    const contender = await session.client.battles.addContender(input.arg('id'), body, session.call);
    session.show(contender, () => contender.id);
  },
};

const submit: Command = {
  name: 'battle submit',
  summary: 'Submit or replace the answer of a contender',
  args: ['id', 'contender'],
  options: { file: { value: 'path', short: 'f', summary: 'the text of the answer; - for stdin' } },
  async run(session, input) {
    const contentText = await session.readText(needed(input, 'file', '<path>, or - for stdin'));
    const body = { contenderId: input.arg('contender'), contentText };
    const submitted = await session.client.battles.submitEntry(input.arg('id'), body, session.call);
    session.show(submitted, () => `Submitted for ${body.contenderId}`);
  },
};

const execute: Command = {
  name: 'battle execute',
  summary: 'Start the runs of the AI contenders',
  args: ['id'],
  async run(session, input) {
    const executed = await session.client.battles.execute(input.arg('id'), {}, session.call);
    session.show(executed, () => `${executed.battleId} is ${executed.status}, with ${executed.runs.length} runs`);
  },
};

const status: Command = {
  name: 'battle status',
  summary: 'Move a battle to another status',
  args: ['id', 'status'],
  options: { confirm: { summary: 'confirm closed and archived, which cannot be undone' } },
  async run(session, input) {
    const wanted = input.arg('status') as (typeof statuses)[number];
    if (!statuses.includes(wanted)) throw new UsageFault(`The status is one of ${statuses.join(', ')}`);
    const body = { status: wanted, ...(input.flag('confirm') && { confirm: true }) };
    const moved = await session.client.battles.setStatus(input.arg('id'), body, session.call);
    for (const warning of moved.warnings) session.terminal.message(`warning: ${warning}`);
    session.show(moved, () => `${moved.battleId} is ${moved.status}`);
  },
};

const vote: Command = {
  name: 'battle vote',
  summary: 'Vote for an entry of your ballot, or for a tie',
  args: ['id', '[entry]'],
  options: { tie: { summary: 'no entry is better' }, comment: { value: 'text', summary: 'a comment' } },
  async run(session, input) {
    const winner = input.optionalArg('entry');
    if ((winner === undefined) !== input.flag('tie'))
      throw new UsageFault('battle vote needs an entry or --tie', 'The ballot is shown by: lensforge battle get <id>');
    const comment = input.text('comment');
    const body = { ...(winner === undefined ? { tie: true } : { winner }), ...(comment !== undefined && { comment }) };
    const cast = await session.client.battles.castVote(input.arg('id'), body, session.call);
    session.show(cast, () => `Voted in ${cast.battleId}`);
  },
};

const score: Command = {
  name: 'battle score',
  summary: 'Show votes and verdicts',
  args: ['id'],
  async run(session, input) {
    const found = await session.client.battles.getScore(input.arg('id'), session.call);
    session.show(found, () =>
      [
        fields({ battle: found.battleId, winner: found.winner, judging: found.judging?.status }),
        ...found.voteAggregates.map((each) => printable(JSON.stringify(each))),
      ].join('\n'),
    );
  },
};

const watch: Command = {
  name: 'battle watch',
  summary: 'Print the events of a battle until it ends',
  args: ['id'],
  run: (session, input) => printEvents(session, session.client.battles.events(input.arg('id'), session.call)),
};

export const battleCommands: readonly Command[] = [
  list,
  get,
  create,
  enter,
  submit,
  execute,
  status,
  vote,
  score,
  watch,
];
