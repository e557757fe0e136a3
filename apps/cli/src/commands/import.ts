import type { Command, OptionSpec } from '../command.js';
import { ConfigSource } from '../eval/config-source.js';
import { RunNotSucceeded, UsageFault } from '../faults.js';
import { type ImportResult, type Imported, PlanWriter } from '../import/apply-plan.js';
import { LangfuseServer } from '../import/langfuse-server.js';
import type { KnownModels } from '../import/model-settings.js';
import { type ImportPlan, Notes } from '../import/plan.js';
import { readLangfuse } from '../import/read-langfuse.js';
import { readEvals } from '../import/openai-server.js';
import { isUrl, readObjects, readSource } from '../import/read-objects.js';
import { readOpenAi } from '../import/read-openai.js';
import { readPromptfooConfig } from '../import/read-promptfoo-config.js';
import { table } from '../layout.js';
import type { Session } from '../session.js';

const options = {
  'dry-run': { summary: 'only tell the changes, and write nothing' },
} as const satisfies Record<string, OptionSpec>;

type Reader = (session: Session, path: string, notes: Notes, models: KnownModels) => Promise<ImportPlan>;

const importFrom = (source: string, summary: string, read: Reader): Command => ({
  name: `import ${source}`,
  summary,
  args: ['path'],
  options,
  async run(session, input) {
    const notes = new Notes();
    const plan = await read(session, input.arg('path'), notes, await readModels(session));
    const isDry = input.flag('dry-run');
    const result = await new PlanWriter(session, { source, isDry, notes }).write(plan);
    session.show({ ...result, notes: notes.list }, () => describe(result, notes, isDry));
    const refused = [...result.lenses, ...result.datasets, ...result.scorers].filter(
      ({ state }) => state === 'refused',
    );
    if (refused.length > 0)
      throw new RunNotSucceeded(`${refused.length} of them were refused`, 'The list under "left out" says why');
  },
});

async function readModels({ client, call }: Session): Promise<KnownModels> {
  const models = new Set<string>();
  for await (const { provider, key } of client.models.list({ limit: 100 }, call)) models.add(`${provider}/${key}`);
  return models;
}

function describe({ lenses, datasets, scorers }: ImportResult, notes: Notes, isDry: boolean): string {
  const rows = (kind: string, unit: string, all: readonly Imported[]): [string, Imported, string][] =>
    all.map((each) => [kind, each, `${each.size} ${unit}${each.size === 1 ? '' : 's'}`]);
  const all = [
    ...rows('lens', 'version', lenses),
    ...rows('dataset', 'case', datasets),
    ...rows('scorer', 'rule', scorers),
  ];
  const listed = table(
    [
      ['kind', ([kind]) => kind],
      ['name', ([, { name }]) => name],
      ['state', ([, { state }]) => state],
      ['size', ([, , size]) => size],
      ['id', ([, { id }]) => id],
    ],
    all,
  );
  const noted = (['approximated', 'left out'] as const).flatMap((effect) => {
    const some = notes.list.filter((note) => note.effect === effect);
    return some.length === 0 ? [] : [`\n${effect}:`, ...some.map(({ where, what }) => `  ${where}: ${what}`)];
  });
  return [
    all.length === 0 ? 'There is nothing to import' : listed,
    ...noted,
    ...(isDry ? ['\nNothing was written'] : []),
  ].join('\n');
}

/** An address that ends with /v1 is that of the API; others are those of files. */
const readFromOpenAi: Reader = async (session, path, notes, models) => {
  if (!isUrl(path) || !/\/v1\/*$/.test(path)) return readOpenAi(await readObjects(session, path), notes, models);
  const key = session.host.env['OPENAI_API_KEY'];
  if (!key) throw new UsageFault('The key of the project is missing', 'Set OPENAI_API_KEY');
  return readOpenAi(await readEvals(path, key, session.signal), notes, models);
};

const readFromLangfuse: Reader = async (session, path, notes, models) => {
  if (!isUrl(path)) return readLangfuse(await readObjects(session, path), notes, models);
  const { LANGFUSE_PUBLIC_KEY: publicKey, LANGFUSE_SECRET_KEY: secretKey } = session.host.env;
  if (!publicKey || !secretKey)
    throw new UsageFault('The keys of the project are missing', 'Set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY');
  const server = new LangfuseServer(path, { publicKey, secretKey }, session.signal);
  return readLangfuse([...(await server.readPrompts()), ...(await server.readDatasets())], notes, models);
};

const readFromPromptfoo: Reader = async (session, path, notes, models) =>
  readPromptfooConfig(await ConfigSource.open(path, await readSource(session, path), session), notes, models);

export const importCommands: readonly Command[] = [
  importFrom(
    'openai',
    'Import requests, prompts, batch lines, training data and evals of OpenAI from JSON files',
    readFromOpenAi,
  ),
  importFrom(
    'langfuse',
    'Import prompts with their versions, datasets and scores of Langfuse, from its server or JSON files',
    readFromLangfuse,
  ),
  importFrom(
    'promptfoo',
    'Import the prompts and tests of a promptfooconfig.yaml as lenses and a dataset',
    readFromPromptfoo,
  ),
];
