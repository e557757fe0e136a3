import { extname } from 'node:path';
import { type Assertion, isJudged, readAssertions, readShortForm } from './read-assertions.js';
import { type ConfigSource, type Path, isRecord, toList } from '../config-source.js';

/** A test with everything that the defaults add. */
export interface PlainTest {
  description: string | undefined;
  vars: Record<string, unknown>;
  assertions: Assertion[];
  metadata: Record<string, unknown>;
}

interface Given {
  test: Record<string, unknown>;
  path: Path;
  /** The file that it comes from, if it is another one. */
  file?: string | undefined;
}

/** All tests: those of the list and of the scenarios, with the defaults, one for each combination of listed variables. */
export async function readTests(source: ConfigSource): Promise<PlainTest[]> {
  const { content } = source;
  const defaults = isRecord(content['defaultTest']) ? content['defaultTest'] : {};
  if (typeof content['defaultTest'] === 'string') source.refuse(['defaultTest'], 'is a file, which is not taken');
  const given = [...(await readList(source, content['tests'], ['tests'])), ...(await readScenarios(source))];
  if (given.length === 0) given.push({ test: {}, path: ['tests'] });
  const ofDefaults = await readAssertions(source, defaults['assert'], ['defaultTest', 'assert']);
  const tests: PlainTest[] = [];
  for (const each of given) tests.push(...(await toPlainTests(source, each, defaults, ofDefaults)));
  return tests;
}

async function readList(source: ConfigSource, given: unknown, path: Path): Promise<Given[]> {
  const found: Given[] = [];
  for (const [index, each] of toList(given).entries()) {
    const place = Array.isArray(given) ? [...path, index] : path;
    if (typeof each === 'string') found.push(...(await readTestFile(source, each, place)));
    else if (isRecord(each)) found.push({ test: each, path: place });
    else source.refuse(place, 'is no test');
  }
  return found;
}

async function readTestFile(source: ConfigSource, name: string, path: Path): Promise<Given[]> {
  const extension = extname(name);
  if (extension === '.csv') return readCsv(source, name);
  if (!['.yaml', '.yml', '.json', '.jsonl'].includes(extension)) {
    source.refuse(path, `${name} is not taken: tests come from .csv, .yaml, .json and .jsonl files`);
    return [];
  }
  const list = toList(await source.readData(name));
  return list.filter(isRecord).map((test, index) => ({ test, path: [index], file: `${name} ${index + 1}` }));
}

const special = /^__(expected\d*|prefix|suffix|description|threshold|metric|metadata:.+|config:.+)$/;

async function readCsv(source: ConfigSource, name: string): Promise<Given[]> {
  const { parse } = await import('csv-parse/sync');
  const rows: Record<string, string>[] = parse(await source.readFile(name), {
    columns: true,
    bom: true,
    skip_empty_lines: true,
  });
  return rows.map((row, index) => {
    const entries = Object.entries(row);
    const cells = (prefix: string): string[] =>
      entries.filter(([column]) => new RegExp(`^${prefix}\\d*$`).test(column)).map(([, cell]) => cell);
    const file = `${name}:${index + 2}`;
    for (const column of ['__prefix', '__suffix']) if (row[column]) source.refuse([column], 'is not taken', file);
    const threshold = row['__threshold'] ? { threshold: Number(row['__threshold']) } : {};
    return {
      path: [],
      file,
      test: {
        ...(row['__description'] && { description: row['__description'] }),
        vars: Object.fromEntries(entries.filter(([column]) => !special.test(column))),
        assert: cells('__expected').flatMap((cell) => readShortForm(cell) ?? []),
        ...threshold,
        metadata: Object.fromEntries(
          entries.flatMap(([column, cell]) =>
            column.startsWith('__metadata:') ? [[column.slice('__metadata:'.length), cell]] : [],
          ),
        ),
      },
    };
  });
}

/** Each configuration of a scenario with each of its tests. */
async function readScenarios(source: ConfigSource): Promise<Given[]> {
  const found: Given[] = [];
  for (const [index, scenario] of toList(source.content['scenarios']).entries()) {
    const path = ['scenarios', index];
    if (!isRecord(scenario)) {
      source.refuse(path, 'is not taken');
      continue;
    }
    const tests = await readList(source, scenario['tests'], [...path, 'tests']);
    for (const config of toList(scenario['config']).filter(isRecord)) {
      for (const each of tests.length === 0 ? [{ test: {}, path }] : tests) {
        found.push({
          ...each,
          test: {
            ...config,
            ...each.test,
            vars: { ...toVars(config['vars']), ...toVars(each.test['vars']) },
            assert: [...toList(config['assert']), ...toList(each.test['assert'])],
          },
        });
      }
    }
  }
  return found;
}

const toVars = (vars: unknown): Record<string, unknown> => (isRecord(vars) ? vars : {});

async function toPlainTests(
  source: ConfigSource,
  { test, path, file }: Given,
  defaults: Record<string, unknown>,
  ofDefaults: readonly Assertion[],
): Promise<PlainTest[]> {
  refuseMembers(source, test, path, file);
  const vars = await readVars(source, { ...toVars(defaults['vars']), ...(await varsOf(source, test['vars'])) });
  const options = isRecord(defaults['options']) ? defaults['options'] : {};
  const own = isRecord(test['options']) ? test['options'] : {};
  const skipsDefaults = own['disableDefaultAsserts'] === true;
  const assertions = [
    ...(skipsDefaults ? [] : ofDefaults),
    ...(await readAssertions(source, test['assert'], [...path, 'assert'], file)),
  ];
  const transform = own['transform'] ?? options['transform'];
  if (transform !== undefined && assertions.some(isJudged)) {
    source.refuse([...path, 'options', 'transform'], 'is not taken with assertions of a judge', file);
  }
  if (transform !== undefined && assertions.some((each) => each.transform !== undefined)) {
    source.refuse([...path, 'options', 'transform'], 'is not taken with assertions that have one, too', file);
  }
  const threshold = test['threshold'] ?? defaults['threshold'];
  const { description } = test;
  return combine(vars).map((each) => ({
    description: typeof description === 'string' ? description : undefined,
    vars: each,
    assertions: withThreshold(withTransform(assertions, transform), threshold),
    metadata: { ...toVars(defaults['metadata']), ...toVars(test['metadata']) },
  }));
}

const members = ['description', 'vars', 'assert', 'threshold', 'options', 'metadata', 'config'];
const optionsTaken = ['transform', 'disableDefaultAsserts', 'disableConversationVar'];

function refuseMembers(source: ConfigSource, test: Record<string, unknown>, path: Path, file?: string): void {
  for (const name of Object.keys(test))
    if (!members.includes(name)) source.refuse([...path, name], 'is not taken', file);
  for (const name of Object.keys(toVars(test['options']))) {
    if (!optionsTaken.includes(name)) source.refuse([...path, 'options', name], 'is not taken', file);
  }
}

const varsOf = async (source: ConfigSource, vars: unknown): Promise<Record<string, unknown>> =>
  typeof vars === 'string' ? toVars(await source.readData(vars)) : toVars(vars);

/** The variables with the contents of the files that they name. */
async function readVars(source: ConfigSource, vars: Record<string, unknown>): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(vars)) {
    read[name] = typeof value === 'string' && value.startsWith('file://') ? await readVar(source, value) : value;
  }
  return read;
}

async function readVar(source: ConfigSource, name: string): Promise<unknown> {
  const extension = extname(name).slice(1).toLowerCase();
  if (extension === 'txt' || extension === 'md') return (await source.readFile(name)).trim();
  const mediaType = imageTypes.find((type) => type === `image/${extension === 'jpg' ? 'jpeg' : extension}`);
  if (!mediaType) return name;
  return { image: { mediaType, data: (await source.readBytes(name)).toString('base64') } };
}

const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** A list of texts stands for one test each; a list of other values is one value. */
function combine(vars: Record<string, unknown>): Record<string, unknown>[] {
  let all: Record<string, unknown>[] = [{}];
  for (const [name, value] of Object.entries(vars)) {
    const values =
      Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
        ? (value as unknown[])
        : [value];
    all = all.flatMap((each) => values.map((one) => ({ ...each, [name]: one })));
  }
  return all;
}

/** The transform of a test comes before the assertions. */
const withTransform = (assertions: readonly Assertion[], transform: unknown): Assertion[] =>
  typeof transform === 'string' ? assertions.map((each) => ({ transform, ...each })) : [...assertions];

/** The threshold of a test replaces its verdict: the mean of the scores decides. */
const withThreshold = (assertions: Assertion[], threshold: unknown): Assertion[] =>
  typeof threshold === 'number' && assertions.length > 0
    ? [{ type: 'assert-set', threshold, assert: assertions }]
    : assertions;
