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

/** The dataset of an evaluation; a file becomes the newest revision of a dataset with its name. */
export async function syncDataset(
  session: Session,
  { dataset, lensId }: { dataset: string; lensId: string },
): Promise<{ id: string; revision?: number }> {
  if (isId(dataset)) return { id: dataset };
  const { client, call, terminal } = session;
  const format = formatOfDataset(dataset);
  const content = await session.readText(dataset);
  const name = `${basename(dataset)} of lens ${lensId}`;
  const { id } = (await findDataset(session, name)) ?? (await client.datasets.create({ name }, call));
  const { revision, cases } = await client.datasets.importCases(id, { format, content, replace: true }, call);
  terminal.progress(`dataset ${id}, revision ${revision}: ${cases} cases`);
  return { id, revision };
}

async function findDataset({ client, call }: Session, name: string): Promise<shapes.Dataset | undefined> {
  for await (const found of client.datasets.list({ q: name, limit: 100 }, call)) if (found.name === name) return found;
  return undefined;
}
