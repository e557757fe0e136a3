import {
  type DatasetCase,
  DatasetCaseInput,
  type DatasetFormat,
  InvalidInput,
  isRecord,
  parse,
} from '@lensforge/contracts';
import { badInput } from '@lensforge/core';
import { parse as parseCsv } from 'csv-parse/sync';
import { stringify as writeCsv } from 'csv-stringify/sync';

/** The cases of a file. Those without a key get the number of their row. */
export function readDatasetFile(format: DatasetFormat, content: string): DatasetCaseInput[] {
  return rowsOf[format](content).map((row, index) => {
    const given = isRecord(row) ? row : {};
    const { since: _, ...members } = given;
    try {
      return parse(DatasetCaseInput, { ...members, key: members['key'] ?? String(index + 1).padStart(5, '0') });
    } catch (reason) {
      if (!(reason instanceof InvalidInput)) throw reason;
      const [issue] = reason.issues;
      throw badInput('content', `case ${index + 1}: ${issue?.path ?? ''} ${issue?.message ?? 'is no case'}`);
    }
  });
}

const rowsOf: Readonly<Record<DatasetFormat, (content: string) => unknown[]>> = {
  ndjson: (content) =>
    content
      .split('\n')
      .map((line, index) => ({ line: line.trim(), number: index + 1 }))
      .filter(({ line }) => line !== '')
      .map(({ line, number }) => readJson(line, `line ${number}`)),
  promptfoo: (content) => {
    const tests = readJson(content, 'the file');
    if (Array.isArray(tests)) return (tests as unknown[]).map(fromTest);
    throw badInput('content', 'must be a list of tests');
  },
  json: (content) => {
    const cases = readJson(content, 'the file');
    if (Array.isArray(cases)) return cases as unknown[];
    throw badInput('content', 'must be a list of cases');
  },
  csv: readCsv,
};

/** The members of metadata for the parts of a case that a test of promptfoo does not have. */
const own = { expected: '__expected', tags: '__tags' } as const;

/** A test in the JSON of promptfoo as a case. A test without a description gets a number as its key. */
function fromTest(test: unknown): object {
  if (!isRecord(test)) return {};
  const { description, vars = {}, assert: assertions, metadata, ...others } = test;
  const [foreign] = Object.keys(others);
  if (foreign !== undefined) throw badInput('content', `a test has the member ${foreign}, which is not taken`);
  const { [own.expected]: expected, [own.tags]: tags, ...rest } = isRecord(metadata) ? metadata : {};
  return {
    ...(description !== undefined && { key: description }),
    params: vars,
    ...(expected !== undefined && { expected }),
    ...(tags !== undefined && { tags }),
    ...(assertions !== undefined && { assertions }),
    ...(Object.keys(rest).length > 0 && { metadata: rest }),
  };
}

function toTest({ key, params, expected, tags, assertions, metadata }: DatasetCase): object {
  const ofCase = {
    ...metadata,
    ...(expected !== null && { [own.expected]: expected }),
    ...(tags.length > 0 && { [own.tags]: tags }),
  };
  return {
    description: key,
    vars: params,
    ...(assertions.length > 0 && { assert: assertions }),
    ...(Object.keys(ofCase).length > 0 && { metadata: ofCase }),
  };
}

function readJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badInput('content', `${where} is not valid JSON`);
  }
}

function readCsv(content: string): object[] {
  let rows: Record<string, string>[];
  try {
    rows = parseCsv(content, { columns: true, bom: true, skip_empty_lines: true });
  } catch (reason) {
    throw badInput('content', `is not valid CSV: ${reason instanceof Error ? reason.message : 'unreadable'}`);
  }
  return rows.map(toCase);
}

/** The members of a case from the cells of a row, empty cells left out. */
function toCase(row: Record<string, string>): object {
  const found: { params: Record<string, unknown>; metadata?: Record<string, unknown>; [member: string]: unknown } = {
    params: {},
  };
  for (const [column, cell] of Object.entries(row)) {
    const [, kind, name = ''] = /^(param|metadata):(.+)$/s.exec(column) ?? [];
    if (cell === '') continue;
    if (kind === 'param') found.params[name] = readCell(cell);
    else if (kind === 'metadata') (found.metadata ??= {})[name] = readCell(cell);
    else if (column === 'key') found['key'] = cell;
    else if (column === 'expected') found['expected'] = readCell(cell);
    else if (column === 'assertions') found['assertions'] = readCell(cell);
    else if (column === 'tags') found['tags'] = cell.split(/\s+/).filter((tag) => tag !== '');
    else
      throw badInput('content', `has an unknown column ${column.slice(0, 100)}: write param:${column.slice(0, 100)}`);
  }
  return found;
}

/** A cell is a text, unless it is the JSON of an object, a list, or a text in quotation marks. */
function readCell(cell: string): unknown {
  if (!/^[[{"]/.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

const writeCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[[{"]/.test(value) || value === '' ? JSON.stringify(value) : value;
};

export interface DatasetFile {
  mediaType: string;
  /** The file, in parts. */
  parts: AsyncIterable<string>;
}

/** A file with cases, written while they are read. CSV has the columns of all cases, so that they are read first. */
export const writeDatasetFile = (format: DatasetFormat, cases: AsyncIterable<DatasetCase>): DatasetFile =>
  writers[format](cases);

const writers: Readonly<Record<DatasetFormat, (cases: AsyncIterable<DatasetCase>) => DatasetFile>> = {
  ndjson: (cases) => ({ mediaType: 'application/x-ndjson', parts: lines(cases) }),
  json: (cases) => ({ mediaType: 'application/json', parts: jsonList(cases, toJson) }),
  promptfoo: (cases) => ({
    mediaType: 'application/json',
    parts: jsonList(cases, (each) => JSON.stringify(toTest(each))),
  }),
  csv: (cases) => ({ mediaType: 'text/csv', parts: csvParts(cases) }),
};

const toJson = ({ since: _, ...content }: DatasetCase): string => JSON.stringify(content);

async function* lines(cases: AsyncIterable<DatasetCase>): AsyncGenerator<string> {
  for await (const each of cases) yield `${toJson(each)}\n`;
}

async function* jsonList(
  cases: AsyncIterable<DatasetCase>,
  write: (each: DatasetCase) => string,
): AsyncGenerator<string> {
  let mark = '[\n';
  for await (const each of cases) {
    yield mark + write(each);
    mark = ',\n';
  }
  yield mark === '[\n' ? '[]\n' : '\n]\n';
}

const rowsInPart = 500;

async function* csvParts(cases: AsyncIterable<DatasetCase>): AsyncGenerator<string> {
  const all: DatasetCase[] = [];
  for await (const each of cases) all.push(each);
  const names = (member: 'params' | 'metadata'): string[] => [
    ...new Set(all.flatMap((each) => Object.keys(each[member] ?? {}))),
  ];
  const [params, metadata] = [names('params'), names('metadata')];
  const hasAssertions = all.some(({ assertions }) => assertions.length > 0);
  yield writeCsv([
    [
      'key',
      ...params.map((name) => `param:${name}`),
      'expected',
      'tags',
      ...(hasAssertions ? ['assertions'] : []),
      ...metadata.map((name) => `metadata:${name}`),
    ],
  ]);
  for (let at = 0; at < all.length; at += rowsInPart) {
    yield writeCsv(
      all
        .slice(at, at + rowsInPart)
        .map((each) => [
          each.key,
          ...params.map((name) => writeCell(each.params[name])),
          writeCell(each.expected),
          each.tags.join(' '),
          ...(hasAssertions ? [each.assertions.length === 0 ? '' : JSON.stringify(each.assertions)] : []),
          ...metadata.map((name) => writeCell(each.metadata?.[name])),
        ]),
    );
  }
}
