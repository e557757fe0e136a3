import type { shapes } from '@lensforge/sdk';
import { isRecord } from '../eval/config-source.js';
import { type KnownModels, readModelSettings } from './model-settings.js';
import { type ImportPlan, type Notes, type PlannedLens, type PlannedVersion, toTags } from './plan.js';
import type { FoundObject } from './read-objects.js';
import { TemplateReader } from './template.js';

interface Export {
  prompts: FoundObject[];
  datasets: FoundObject[];
  items: FoundObject[];
  scores: FoundObject[];
}

/** The objects of Langfuse's API: versions of prompts, datasets with their items, scores. */
export function readLangfuse(objects: readonly FoundObject[], notes: Notes, models: KnownModels): ImportPlan {
  const { prompts, datasets, items, scores } = sort(objects, notes);
  const names = [...new Set(prompts.map(({ value }) => String(value['name'])))];
  return {
    lenses: names.flatMap(
      (name) =>
        toLens(
          name,
          prompts.filter(({ value }) => value['name'] === name),
          notes,
          models,
        ) ?? [],
    ),
    datasets: toDatasets(datasets, items, readScores(scores, items, notes), notes),
    scorers: [],
  };
}

function sort(objects: readonly FoundObject[], notes: Notes): Export {
  const found: Export = { prompts: [], datasets: [], items: [], scores: [] };
  for (const each of objects) {
    const { value, where } = each;
    if (typeof value['name'] === 'string' && value['prompt'] !== undefined) found.prompts.push(each);
    else if ((value['datasetId'] ?? value['datasetName']) !== undefined && 'input' in value) found.items.push(each);
    else if (value['dataType'] !== undefined && 'value' in value) found.scores.push(each);
    else if (value['dataType'] !== undefined)
      notes.leaveOut(where, 'a score configuration: criteria are set in review queues');
    else if (typeof value['name'] === 'string' && ('description' in value || 'metadata' in value))
      found.datasets.push(each);
    else notes.leaveOut(where, 'is no prompt, dataset, item or score of Langfuse');
  }
  return found;
}

const membersOfConfig = new Set(['provider']);

function toLens(name: string, found: FoundObject[], notes: Notes, models: KnownModels): PlannedLens | undefined {
  const ordered = [...found].sort((one, other) => versionOf(one) - versionOf(other));
  const versions: PlannedVersion[] = [];
  const labels: Record<string, number> = {};
  for (const each of ordered) {
    const version = toVersion(each, notes, models);
    if (!version) continue;
    versions.push(version);
    for (const label of toTexts(each.value['labels'])) {
      if (label === 'latest') continue;
      if (/^[a-z][a-z0-9_-]{0,39}$/.test(label)) labels[label] = versions.length - 1;
      else notes.leaveOut(each.where, `the label ${label}: labels are lower case letters, digits, - and _`);
    }
  }
  const newest = ordered.at(-1);
  if (versions.length === 0 || !newest) return undefined;
  return {
    key: name,
    title: name.slice(name.lastIndexOf('/') + 1).slice(0, 200),
    description: name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '',
    tags: toTags(newest.value['tags']),
    versions,
    labels,
    where: newest.where,
  };
}

const versionOf = ({ value }: FoundObject): number => (typeof value['version'] === 'number' ? value['version'] : 1);

const toTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

function toVersion({ value, where }: FoundObject, notes: Notes, models: KnownModels): PlannedVersion | undefined {
  const { prompt, config, commitMessage } = value;
  const reader = new TemplateReader(notes, where);
  const text = Array.isArray(prompt)
    ? reader.convertMessages(prompt)
    : typeof prompt === 'string' && prompt.trim() !== ''
      ? reader.finish(reader.convert(withoutReferences(prompt, where, notes)))
      : undefined;
  if (text === undefined) {
    notes.leaveOut(
      where,
      `version ${versionOf({ value, where, file: '' })}: has no text or messages that can be taken`,
    );
    return undefined;
  }
  return {
    templateBody: text,
    settings: readModelSettings(isRecord(config) ? config : {}, { notes, where, models, others: membersOfConfig }),
    changelog: typeof commitMessage === 'string' ? commitMessage.slice(0, 500) : '',
  };
}

/** References to other prompts stay as text, as their lenses may have other owners. */
function withoutReferences(text: string, where: string, notes: Notes): string {
  for (const [reference] of text.matchAll(/@@@langfusePrompt:[^@]*@@@/g))
    notes.leaveOut(where, `${reference} stays as a text: include a lens with [[> handle/title]]`);
  return text;
}

type ScoresByTrace = ReadonlyMap<string, Record<string, unknown>>;

/** The scores of traces that items of datasets were made from. */
function readScores(scores: FoundObject[], items: FoundObject[], notes: Notes): ScoresByTrace {
  const traces = new Set(items.map(({ value }) => value['sourceTraceId']));
  const found = new Map<string, Record<string, unknown>>();
  for (const { value, where } of scores) {
    const { traceId, name } = value;
    if (typeof traceId !== 'string' || !traces.has(traceId)) {
      notes.leaveOut(where, `the score ${String(name)} of a trace of which no case was made`);
      continue;
    }
    notes.approximate(where, `the score ${String(name)} is in the metadata of the case of its trace`);
    found.set(traceId, { ...found.get(traceId), [String(name)]: value['stringValue'] ?? value['value'] });
  }
  return found;
}

function toDatasets(
  datasets: FoundObject[],
  items: FoundObject[],
  scores: ScoresByTrace,
  notes: Notes,
): ImportPlan['datasets'] {
  const nameOf = ({ value }: FoundObject): string => {
    const dataset = datasets.find(
      (each) => value['datasetId'] !== undefined && each.value['id'] === value['datasetId'],
    );
    return String(value['datasetName'] ?? dataset?.value['name'] ?? value['datasetId']);
  };
  const names = [...new Set([...datasets.map(({ value }) => String(value['name'])), ...items.map(nameOf)])];
  return names.map((name) => {
    const described = datasets.find(({ value }) => value['name'] === name)?.value['description'];
    return {
      name: name.slice(0, 200),
      description: typeof described === 'string' ? described : '',
      cases: items.filter((each) => nameOf(each) === name).flatMap((each, at) => toCase(each, at, scores, notes) ?? []),
    };
  });
}

function toCase(
  { value, where }: FoundObject,
  at: number,
  scores: ScoresByTrace,
  notes: Notes,
): shapes.DatasetCaseInput | undefined {
  const { id, input, expectedOutput, metadata, status, sourceTraceId } = value;
  if (status === 'ARCHIVED') {
    notes.leaveOut(where, 'an archived item');
    return undefined;
  }
  const ofTrace = scores.get(String(sourceTraceId));
  const own = isRecord(metadata) ? metadata : metadata === undefined || metadata === null ? {} : { metadata };
  const all = { ...own, ...(ofTrace && { scores: ofTrace }) };
  return {
    key: typeof id === 'string' ? id.slice(0, 200) : String(at + 1),
    params: isRecord(input) ? input : { input },
    ...(expectedOutput !== undefined && expectedOutput !== null && { expected: expectedOutput }),
    ...(Object.keys(all).length > 0 && { metadata: all }),
  };
}
