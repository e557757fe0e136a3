import { writeFile } from 'node:fs/promises';
import { ConflictError, type shapes } from '@lensforge/sdk';
import { type Command, type OptionSpec, limitOption } from '../command.js';
import type { Input } from '../input.js';
import { CommandFault, UsageFault } from '../faults.js';
import { followRun } from '../follow-run.js';
import { fields, time } from '../layout.js';
import { lensLabel } from './label.js';
import { lensStats } from './stats.js';
import { type LensDocument, insertId, readLensFile, visibilities, writeLensFile } from '../lens-file.js';
import { type Session, assignments, needed, numberIn } from '../session.js';
import { printable } from '../terminal.js';

type Visibility = (typeof visibilities)[number];

const textOptions = {
  file: { value: 'path', short: 'f', summary: 'the text of the template; - for stdin' },
  title: { value: 'text', summary: 'the title' },
  description: { value: 'text', summary: 'the purpose of the lens' },
  visibility: { value: 'kind', oneOf: visibilities, summary: 'the callers that can see it' },
} as const satisfies Record<string, OptionSpec>;

const list: Command = {
  name: 'lens ls',
  summary: 'List or search lenses',
  args: ['[words]'],
  options: {
    ...limitOption,
    visibility: textOptions.visibility,
    tag: { value: 'tag', summary: 'lenses with this tag' },
  },
  async run(session, input) {
    const query = {
      q: input.optionalArg('words'),
      visibility: input.text('visibility') as Visibility | undefined,
      tag: input.text('tag'),
    };
    await session.showList(
      (limit) => session.client.lenses.list({ limit, ...query }, session.call),
      [
        ['id', ({ id }) => id],
        ['title', ({ title }) => title],
        ['version', ({ headVersion }) => headVersion.semver],
        ['visibility', ({ visibility }) => visibility],
        ['status', ({ status }) => status],
        ['updated', ({ updatedAt }) => time(updatedAt)],
      ],
      'No lens matches',
    );
  },
};

const describe = (lens: shapes.LensRecord): string =>
  [
    fields({
      id: lens.id,
      title: lens.title,
      description: lens.description,
      author: `@${lens.author.handle}`,
      version: lens.headVersion.semver,
      visibility: `${lens.visibility}, ${lens.status}`,
      params: lens.params.map(({ label, optional }) => (optional ? `${label} (optional)` : label)).join(', '),
      ...(lens.settings && { settings: JSON.stringify(lens.settings) }),
      labels: lens.labels.map(({ label, semver }) => `${label}=${semver}`).join(', '),
      'default label': lens.defaultLabel ?? undefined,
      updated: time(lens.updatedAt),
    }),
    '',
    printable(lens.templateBody),
  ].join('\n');

const get: Command = {
  name: 'lens get',
  summary: 'Show a lens with its text, or a version of it',
  args: ['id', '[version]'],
  async run(session, input) {
    const version = input.optionalArg('version');
    if (version === undefined) {
      const lens = await session.client.lenses.get(input.arg('id'), session.call);
      session.show(lens, () => describe(lens));
    } else {
      const found = await session.client.lenses.getVersion(input.arg('id'), version, session.call);
      session.show(found, () => printable(found.templateBody));
    }
  },
};

const create: Command = {
  name: 'lens create',
  summary: 'Create a lens from a template text',
  options: {
    ...textOptions,
    draft: { summary: 'create a draft that only you can see' },
    tag: { value: 'tag', repeated: true, summary: 'a tag; can be repeated' },
  },
  async run(session, input) {
    const title = needed(input, 'title', "'My lens'");
    const templateBody = await session.readText(needed(input, 'file', '<path>, or - for stdin'));
    const visibility = input.text('visibility') as Visibility | undefined;
    const description = input.text('description');
    const lens = await session.client.lenses.create(
      {
        title,
        templateBody,
        ...(visibility && { visibility }),
        ...(description !== undefined && { description }),
        ...(input.flag('draft') && { status: 'draft' }),
        ...(input.list('tag').length > 0 && { tags: [...input.list('tag')] }),
      },
      session.call,
    );
    warnOf(session, lens);
    session.show(lens, () => lens.id);
  },
};

function warnOf({ terminal }: Session, { warnings }: shapes.LensRecord): void {
  for (const warning of warnings) terminal.message(`warning: ${warning}`);
}

const edit: Command = {
  name: 'lens edit',
  summary: 'Change a lens; without options its text opens in your editor',
  args: ['id'],
  options: {
    ...textOptions,
    changelog: { value: 'text', summary: 'the changelog of the new version' },
    base: { value: 'id', summary: 'the version that was changed: fail when a newer one was saved meanwhile' },
    'default-label': { value: 'label', summary: 'give callers without a version that of this label, or the latest' },
  },
  async run(session, input) {
    const id = input.arg('id');
    const { client, call } = session;
    const changes: shapes.LensPatch = Object.fromEntries(
      ['title', 'description', 'visibility', 'changelog'].flatMap((name) => {
        const value = input.text(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const file = input.text('file');
    const base = input.text('base');
    if (base !== undefined) changes.baseVersionId = base;
    if (file !== undefined) changes.templateBody = await session.readText(file);
    const defaultLabel = input.text('default-label');
    if (defaultLabel !== undefined) changes.defaultLabel = defaultLabel === 'latest' ? null : defaultLabel;
    const inEditor = ['file', 'title', 'description', 'visibility', 'default-label'].every(
      (name) => input.text(name) === undefined,
    );
    if (inEditor) Object.assign(changes, await editedText(session, id));
    const lens = await client.lenses.update(id, changes, call).catch(async (error: unknown) => {
      throw inEditor && error instanceof ConflictError ? await keptText(id, changes.templateBody ?? '', error) : error;
    });
    warnOf(session, lens);
    session.show(lens, () => `${lens.id} is at version ${lens.headVersion.semver}`);
  },
};

/** The text from the editor, and the version that it was made on. */
async function editedText(session: Session, id: string): Promise<shapes.LensPatch> {
  const { client, call, host, terminal } = session;
  const { templateBody, headVersion } = await client.lenses.get(id, call);
  if (!terminal.isTerminal) throw new UsageFault('There is no terminal for an editor', 'Give the text with --file');
  const edited = await host.edit(templateBody);
  if (edited === templateBody) throw new UsageFault('The text was not changed', 'Save another text in the editor');
  return { templateBody: edited, baseVersionId: headVersion.id };
}

/** Writes a text that was refused to a file, so that the work in the editor is not lost. */
async function keptText(id: string, text: string, error: ConflictError): Promise<CommandFault> {
  const file = `${id}.refused.txt`;
  await writeFile(file, text, { mode: 0o600 });
  return new CommandFault(
    error.message,
    `Your text is in ${file}. Merge it with the newest version (lensforge lens get ${id}), then: lensforge lens edit ${id} --file ${file}`,
    { cause: error },
  );
}

const pull: Command = {
  name: 'lens pull',
  summary: 'Write a lens to a file that Git shows and lens apply takes',
  args: ['id', 'file'],
  async run(session, input) {
    const lens = await session.client.lenses.get(input.arg('id'), session.call);
    const path = input.arg('file');
    await session.writeText(path, await writeLensFile(lens));
    session.show(lens, () => `Wrote version ${lens.headVersion.semver} to ${path}`);
  },
};

const apply: Command = {
  name: 'lens apply',
  summary: 'Make a lens as its file says: creates it, or changes what differs',
  args: ['file'],
  options: {
    changelog: { value: 'text', summary: 'the changelog of a new version' },
    base: { value: 'id', summary: 'the version that was changed: fail when a newer one was saved meanwhile' },
    check: { summary: 'change nothing; exit code 1 when the lens differs from the file' },
  },
  async run(session, input) {
    const path = input.arg('file');
    const content = await session.readText(path);
    const { id, ...wanted } = await readLensFile(content, path);
    const { client, call } = session;
    if (id === undefined) {
      if (input.flag('check')) throw differs(path, 'the lens does not exist yet');
      const made = await client.lenses.create(wanted, call);
      if (path !== '-') await session.writeText(path, insertId(content, made.id));
      warnOf(session, made);
      session.show(made, () => `Created ${made.id} at version ${made.headVersion.semver}`);
      return;
    }
    const lens = await client.lenses.get(id, call);
    const changes = listChanges(lens, wanted);
    const names = Object.keys(changes).join(', ');
    if (names !== '' && input.flag('check')) throw differs(path, `${names} would change`);
    const [changelog, base] = [input.text('changelog'), input.text('base')];
    const more = { ...(changelog !== undefined && { changelog }), ...(base !== undefined && { baseVersionId: base }) };
    const now = names === '' ? lens : await client.lenses.update(id, { ...changes, ...more }, call);
    warnOf(session, now);
    const done = names === '' ? 'unchanged' : `changed (${names})`;
    session.show(now, () => `${id} is ${done}, at version ${now.headVersion.semver}`);
  },
};

const differs = (path: string, why: string): CommandFault =>
  new CommandFault(`${path} and the lens differ: ${why}`, `Run: lensforge lens apply ${path}`);

/** The members of a file that the lens has otherwise. */
function listChanges(lens: shapes.LensRecord, wanted: Omit<LensDocument, 'id'>): shapes.LensPatch {
  // The platform stores tags in this form.
  const tags = [...new Set(wanted.tags.map((tag) => tag.normalize('NFKC').trim().toLowerCase()))].sort();
  const changed = Object.entries({ ...wanted, tags }).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(lens[name as keyof typeof wanted]),
  );
  return Object.fromEntries(changed);
}

/** A changed setting as lines of a difference. */
function listSettingLines({ name, before, after }: shapes.LensSettingChange): shapes.LensDiffLine[] {
  const line = (kind: 'added' | 'removed', value: unknown): shapes.LensDiffLine[] =>
    value === null ? [] : [{ kind, text: `${name}: ${JSON.stringify(value)}` }];
  return [...line('removed', before), ...line('added', after)];
}

const diff: Command = {
  name: 'lens diff',
  summary: 'Compare two versions; the newest when one is named',
  args: ['id', 'from', '[to]'],
  async run(session, input) {
    const query = { from: input.arg('from'), to: input.optionalArg('to') };
    const found = await session.client.lenses.diffVersions(input.arg('id'), query, session.call);
    const { terminal } = session;
    const formatDiffLine = ({ kind, text }: shapes.LensDiffLine): string =>
      kind === 'added'
        ? terminal.style('green', `+${printable(text)}`)
        : kind === 'removed'
          ? terminal.style('red', `-${printable(text)}`)
          : ` ${printable(text)}`;
    session.show(found, () =>
      [
        `--- ${found.from.semver}`,
        `+++ ${found.to.semver} (${found.bump})`,
        ...found.settings.flatMap(listSettingLines).map(formatDiffLine),
        ...found.lines.map(formatDiffLine),
      ].join('\n'),
    );
  },
};

export const fundingOptions = {
  model: { value: 'model', summary: 'the model to use' },
  funding: {
    value: 'source',
    oneOf: ['user_byok_cloud', 'user_byok_local', 'platform_credit', 'sponsored'],
    summary: 'who pays',
  },
  key: { value: 'id', summary: 'the BYOK key, with --funding user_byok_cloud' },
  'sticky-key': { value: 'text', summary: 'decides which arm of a label the run gets, such as the id of a user' },
  'idempotency-key': { value: 'text', summary: 'a repeated command with this key returns the same run' },
  watch: { short: 'w', summary: 'wait for the end and print the output; exit code 5 when the run fails' },
} as const satisfies Record<string, OptionSpec>;

/** The members of a request that these options set. */
export function readFunding(
  input: Input,
): Pick<
  shapes.LensExecuteRequest,
  'modelOverride' | 'fundingSource' | 'byokKeyRefId' | 'idempotencyKey' | 'stickyKey'
> {
  const [modelOverride, byokKeyRefId, idempotencyKey, stickyKey] = [
    'model',
    'key',
    'idempotency-key',
    'sticky-key',
  ].map((name) => input.text(name));
  const fundingSource = input.text('funding') as shapes.LensExecuteRequest['fundingSource'];
  return {
    ...(modelOverride !== undefined && { modelOverride }),
    ...(fundingSource && { fundingSource }),
    ...(byokKeyRefId !== undefined && { byokKeyRefId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(stickyKey !== undefined && { stickyKey }),
  };
}

/** Prints an accepted run, or follows it with --watch. */
export async function showAccepted(
  session: Session,
  input: Input,
  run: shapes.PlatformExecutionAccepted,
): Promise<void> {
  if (!input.flag('watch')) {
    session.show(run, () => run.runId);
    return;
  }
  session.terminal.progress(`run ${run.runId}`);
  await followRun(session, run.runId);
}

const run: Command = {
  name: 'lens run',
  summary: 'Execute a lens; prints the id of the run, or its output with --watch',
  args: ['id'],
  options: {
    param: {
      value: 'name=value',
      short: 'p',
      repeated: true,
      summary: 'a parameter; name=@file reads a file, name:=json takes JSON',
    },
    version: { value: 'version', summary: 'the id, number or label of a version' },
    tag: { value: 'tag', repeated: true, summary: 'a tag of the run; can be repeated' },
    'max-credits': { value: 'credits', summary: 'the maximum cost' },
    ...fundingOptions,
  },
  async run(session, input) {
    const params = await assignments(session, input, 'param');
    const maxCredits = numberIn(input, 'max-credits');
    const version = input.text('version');
    const accepted = await session.client.lenses.execute(
      input.arg('id'),
      {
        params,
        ...readFunding(input),
        ...(version !== undefined && { version }),
        ...(maxCredits !== undefined && { maxCredits }),
        ...(input.list('tag').length > 0 && { tags: [...input.list('tag')] }),
      },
      session.call,
    );
    await showAccepted(session, input, accepted);
  },
};

export const lensCommands: readonly Command[] = [list, get, create, edit, pull, apply, diff, lensLabel, lensStats, run];
