import { type ConfigSource, isRecord, toList } from '../eval/config-source.js';
import { toCase } from '../eval/promptfoo/read-promptfoo.js';
import { readPrompts } from '../eval/promptfoo/read-prompts.js';
import { readProviders } from '../eval/promptfoo/read-providers.js';
import { readTests } from '../eval/promptfoo/read-tests.js';
import { type KnownModels, readModelSettings } from './model-settings.js';
import type { ImportPlan, Notes } from './plan.js';
import { TemplateReader } from './template.js';

/** Members of the settings of a provider that are none of a model. */
const others = new Set(['apiKey', 'apiKeyEnvar', 'apiHost', 'apiBaseUrl', 'organization', 'cost']);

/** Prompts as lenses, with the model and settings of the first provider, and tests as a dataset. */
export async function readPromptfooConfig(
  source: ConfigSource,
  notes: Notes,
  models: KnownModels,
): Promise<ImportPlan> {
  const { description } = source.content;
  const name =
    typeof description === 'string' && description.trim() !== ''
      ? description.trim()
      : source.path.replace(/^.*\//, '');
  // Judges are named by the scorers of an experiment.
  source.hasJudge = true;
  const tests = await readTests(source);
  const always = new Set(
    Object.keys(tests[0]?.vars ?? {}).filter((each) => tests.every(({ vars }) => vars[each] !== undefined)),
  );
  const prompts = await readPrompts(source, always);
  const [provider] = readProviders(source, undefined);
  const [given, ...rest] = toList(source.content['providers'] ?? source.content['targets']);
  const where = `${source.path}:providers[0]`;
  const config = isRecord(given) && isRecord(given['config']) ? given['config'] : {};
  const settings = readModelSettings({ model: provider?.model, ...config }, { notes, where, models, others });
  if (rest.length > 0)
    notes.approximate(
      `${source.path}:providers`,
      `the first of ${rest.length + 1} is the model of the lenses: the others are arms of an experiment`,
    );
  const used = new Set(prompts.flatMap(({ variables }) => variables));
  const lenses = prompts.map(({ label, candidate }, at) => {
    const place = `${source.path}:prompts[${at}]`;
    const body =
      candidate.messages?.map(({ role, text }) => `[[@${role}]]\n${text}`).join('\n') ?? candidate.templateBody ?? '';
    const templateBody = new TemplateReader(notes, place).finish(body);
    const title = (prompts.length === 1 ? name : `${name}: ${label}`).slice(0, 200);
    return {
      key: `${name} ${label}`,
      title,
      description: '',
      tags: [],
      versions: [{ templateBody, settings, changelog: '' }],
      labels: {},
      where: place,
    };
  });
  const cases = tests.map((test, index) => toCase(test, index, used));
  for (const { where: place, what } of source.untaken) notes.leaveOut(place, what);
  const hasTests = source.content['tests'] !== undefined || source.content['scenarios'] !== undefined;
  return { lenses, datasets: hasTests ? [{ name: name.slice(0, 200), description: '', cases }] : [], scorers: [] };
}
