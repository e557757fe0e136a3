import type { shapes } from '@lensforge/sdk';
import { basename } from 'node:path';
import { UsageFault } from '../faults.js';
import type { Session } from '../session.js';
import { isId } from './read-plan.js';

const formats = ['ndjson', 'csv', 'json'] as const;

/** The format of a dataset file, by its name. */
export function formatOfDataset(file: string): (typeof formats)[number] {
  const format = formats.find((each) => file.endsWith(`.${each}`));
  if (!format) throw new UsageFault(`The name of the file ends with ${formats.map((each) => `.${each}`).join(', ')}`);
  return format;
}

export interface PlannedDataset {
  /** A file, the id of a dataset, or cases. */
  dataset: string | shapes.DatasetCaseInput[];
  /** Names the dataset, beside its lens. */
  title: string;
  lensId: string;
}

const perRequest = 1000;

/** The dataset of an evaluation; files and cases become the newest revision of a dataset of their lens. */
export async function syncDataset(
  session: Session,
  { dataset, title, lensId }: PlannedDataset,
): Promise<{ id: string; revision?: number }> {
  if (typeof dataset === 'string' && isId(dataset)) return { id: dataset };
  const { client, call, terminal } = session;
  const isFile = typeof dataset === 'string';
  const name = `${isFile ? basename(dataset) : title} of lens ${lensId}`.slice(0, 200);
  const format = isFile ? formatOfDataset(dataset) : 'ndjson';
  const parts = isFile ? [await session.readText(dataset)] : toParts(dataset);
  const { id } = (await findDataset(session, name)) ?? (await client.datasets.create({ name }, call));
  let last: shapes.DatasetChange | undefined;
  for (const [index, content] of parts.entries()) {
    last = await client.datasets.importCases(id, { format, content, replace: index === 0 }, call);
  }
  terminal.progress(`dataset ${id}, revision ${last?.revision}: ${last?.cases} cases`);
  return last === undefined ? { id } : { id, revision: last.revision };
}

/** The lines of cases, in parts that one request takes. */
const toParts = (cases: readonly shapes.DatasetCaseInput[]): string[] =>
  Array.from({ length: Math.ceil(cases.length / perRequest) }, (_, part) =>
    cases
      .slice(part * perRequest, (part + 1) * perRequest)
      .map((each) => JSON.stringify(each))
      .join('\n'),
  );

/** The dataset of this name. */
export async function findDataset({ client, call }: Session, name: string): Promise<shapes.Dataset | undefined> {
  for await (const found of client.datasets.list({ q: name, limit: 100 }, call)) if (found.name === name) return found;
  return undefined;
}
