import type { shapes } from '@lensforge/sdk';
import { isRecord, toText } from '../eval/config-source.js';
import { type KnownModels, readModelSettings } from './model-settings.js';
import type { ImportPlan, Notes, PlannedLens, PlannedVersion } from './plan.js';
import { expectedMember, readCriteria } from './read-criteria.js';
import type { FoundObject } from './read-objects.js';
import { TemplateReader } from './template.js';

/** Members of requests and prompts that are no settings of a model. */
const others = new Set([
  ...['id', 'object', 'name', 'description', 'version', 'created_at', 'messages', 'input', 'instructions', 'prompt'],
  ...['variables', 'metadata', 'store', 'user', 'stream', 'stream_options', 'n', 'background', 'is_default'],
]);

/** Requests, prompts, lines of batches and of training data, evals and their items, as OpenAI writes them. */
export function readOpenAi(objects: readonly FoundObject[], notes: Notes, models: KnownModels): ImportPlan {
  const plan: ImportPlan = { lenses: [], datasets: [], scorers: [] };
  const expectedIn = findExpected(objects);
  for (const found of objects) {
    const { value, where } = found;
    if (value['object'] === 'eval') plan.scorers.push(...readCriteria(value, notes, where));
    else if (isRecord(value['item'])) addCase(plan, found, toItemCase(value['item'], value, expectedIn(found.file)));
    else if (isRecord(value['datasource_item']))
      addCase(plan, found, toItemCase(value['datasource_item'], value, expectedIn(found.file)));
    else if (isRecord(value['body']) && typeof value['url'] === 'string')
      readBatchLine(plan, found, value['body'], notes, models);
    else if (isRecord(value['prompt']) && value['model'] === undefined)
      notes.leaveOut(where, `the prompt ${String(value['prompt']['id'])} is only named: export its text`);
    else if (hasText(value)) readPrompt(plan, found, notes, models);
    else
      notes.leaveOut(
        where,
        `is no request, prompt, batch line or eval${typeof value['object'] === 'string' ? `, but a ${value['object']}` : ''}`,
      );
  }
  return plan;
}

/** The member with the expected answer by the eval of the same file, or by the only eval. */
function findExpected(objects: readonly FoundObject[]): (file: string) => string | undefined {
  const evals = objects.filter(({ value }) => value['object'] === 'eval');
  const members = new Map(evals.map(({ value, file }) => [file, expectedMember(value)]));
  const [only] = evals.length === 1 ? members.values() : [];
  return (file) => members.get(file) ?? only;
}

const hasText = (value: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(value['messages']) || typeof value['instructions'] === 'string' || value['input'] !== undefined;

/** The messages of a request to chat completions or responses. */
function messagesOf({ messages, instructions, input }: Readonly<Record<string, unknown>>): unknown[] {
  if (Array.isArray(messages)) return messages;
  const asked =
    typeof input === 'string' ? [{ role: 'user', content: input }] : Array.isArray(input) ? (input as unknown[]) : [];
  return [...(typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []), ...asked];
}

/** A prompt or request is a lens; several with the same name are its versions. */
function readPrompt(plan: ImportPlan, { value, where, file }: FoundObject, notes: Notes, models: KnownModels): void {
  const messages = messagesOf(value);
  const isExample =
    value['model'] === undefined &&
    isRecord(messages.at(-1)) &&
    (messages.at(-1) as Record<string, unknown>)['role'] === 'assistant';
  if (isExample) return addConversation(plan, { value, where, file }, messages, notes);
  const name =
    toText(value['name']) ??
    (value['object'] === undefined ? undefined : toText(value['id'])) ??
    `${file} ${plan.lenses.length + 1}`;
  const reader = new TemplateReader(notes, where);
  const asked = messages.some((each) => isRecord(each) && each['role'] === 'user')
    ? messages
    : [...messages, { role: 'user', content: '{{Input}}' }];
  if (asked !== messages) notes.approximate(where, 'has no message of the user: the parameter Input became it');
  const templateBody = reader.convertMessages(asked);
  if (templateBody === undefined) return notes.leaveOut(where, 'has no message that can be taken');
  const version = { templateBody, settings: readModelSettings(value, { notes, where, models, others }), changelog: '' };
  addVersion(plan, { name, version, where, description: value['description'] });
}

function addVersion(
  plan: ImportPlan,
  {
    name,
    version,
    where,
    description,
  }: { name: string; version: PlannedVersion; where: string; description?: unknown },
): void {
  const known = plan.lenses.find(({ key }) => key === name);
  if (known) known.versions.push(version);
  else plan.lenses.push(aLens(name, version, where, description));
}

const aLens = (name: string, version: PlannedVersion, where: string, description: unknown): PlannedLens => ({
  key: name,
  title: name.slice(0, 200),
  description: typeof description === 'string' ? description : '',
  tags: [],
  versions: [version],
  labels: {},
  where,
});

/** Lines with the same instructions and settings are cases of one lens. */
function readBatchLine(
  plan: ImportPlan,
  { value, where, file }: FoundObject,
  body: Record<string, unknown>,
  notes: Notes,
  models: KnownModels,
): void {
  if (body['prompt'] !== undefined || !hasText(body))
    return notes.leaveOut(where, `a request to ${String(value['url'])}`);
  const { system, params } = split(messagesOf(body), notes, where);
  if (params === undefined) return notes.leaveOut(where, 'has no message of the user at its end');
  const templateBody = new TemplateReader(notes, where).convertMessages([
    ...system.map((content) => ({ role: 'system', content })),
    ...(params['history'] === undefined ? [] : [{ type: 'placeholder', name: 'history' }]),
    { role: 'user', content: '{{Input}}' },
  ]);
  const version = {
    templateBody: templateBody ?? '',
    settings: readModelSettings(body, { notes, where, models, others }),
    changelog: '',
  };
  const isSame = ({ versions: [first] }: PlannedLens): boolean => JSON.stringify(first) === JSON.stringify(version);
  const inFile = plan.lenses.filter(({ key }) => key === file || key.startsWith(`${file} `));
  if (!inFile.some(isSame))
    plan.lenses.push(aLens(inFile.length === 0 ? file : `${file} ${inFile.length + 1}`, version, where, ''));
  addCase(plan, { value, where, file }, { key: toText(value['custom_id']) ?? where, params });
}

/** The instructions of a conversation, and its last message with the earlier ones as parameters. */
function split(
  messages: readonly unknown[],
  notes: Notes,
  where: string,
): { system: string[]; params?: Record<string, unknown> } {
  const system: string[] = [];
  const turns: { role: string; content: string }[] = [];
  for (const each of messages.filter(isRecord)) {
    const content = typeof each['content'] === 'string' ? each['content'] : undefined;
    const role = String(each['role']);
    if (content === undefined) notes.leaveOut(where, `a message of the ${role} that is not a text`);
    else if (role === 'system' || role === 'developer') system.push(content);
    else if (role === 'user' || role === 'assistant') turns.push({ role, content });
    else notes.leaveOut(where, `a message with the role ${role}`);
  }
  const last = turns.pop();
  if (last?.role !== 'user') return { system };
  return {
    system,
    params: {
      Input: last.content,
      ...(turns.length > 0 && { history: turns.map(({ role, content }) => ({ role, text: content })) }),
    },
  };
}

/** A conversation of training data: its last answer is the expected one. */
function addConversation(plan: ImportPlan, found: FoundObject, messages: readonly unknown[], notes: Notes): void {
  const answer = (messages.at(-1) as Record<string, unknown>)['content'];
  const { system, params } = split(messages.slice(0, -1), notes, found.where);
  if (params === undefined) return notes.leaveOut(found.where, 'has no message of the user before the answer');
  addCase(plan, found, {
    key: found.where.slice(found.where.lastIndexOf('/') + 1),
    params,
    expected: answer,
    ...(system.length > 0 && { metadata: { instructions: system.join('\n') } }),
  });
}

/** An item of an eval; `expected` is the member with which its criteria compare answers. */
function toItemCase(
  item: Record<string, unknown>,
  line: Record<string, unknown>,
  expected: string | undefined,
): Omit<shapes.DatasetCaseInput, 'key'> {
  const params = Object.fromEntries(Object.entries(item).filter(([name]) => name !== expected));
  const results = Array.isArray(line['results']) ? line['results'].filter(isRecord) : [];
  const scores = Object.fromEntries(results.map((each) => [String(each['name']), each['score'] ?? each['passed']]));
  return {
    params,
    ...(expected !== undefined && item[expected] !== undefined && { expected: item[expected] }),
    ...(results.length > 0 && { metadata: { scores } }),
  };
}

function addCase(
  plan: ImportPlan,
  { value, file }: FoundObject,
  given: Omit<shapes.DatasetCaseInput, 'key'> & { key?: string },
): void {
  let dataset = plan.datasets.find(({ name }) => name === file);
  if (!dataset) plan.datasets.push((dataset = { name: file, description: '', cases: [] }));
  const number = String(dataset.cases.length + 1).padStart(5, '0');
  const id = typeof value['id'] === 'string' ? value['id'] : number;
  dataset.cases.push({ ...given, key: (given.key ?? id).slice(0, 200) });
}
