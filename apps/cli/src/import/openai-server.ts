import { isRecord } from '../eval/config-source.js';
import { CommandFault } from '../faults.js';
import { type FoundObject, fetchFrom } from './read-objects.js';

/** Reads the evals of a project, with the items and results of their newest runs, from the API of OpenAI. */
export async function readEvals(baseUrl: string, key: string, signal: AbortSignal): Promise<FoundObject[]> {
  const readAll = async (path: string): Promise<Record<string, unknown>[]> => {
    const all: Record<string, unknown>[] = [];
    for (let after = ''; ;) {
      const address = `${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}?limit=100${after}`;
      const response = await fetchFrom(address, signal, { authorization: `Bearer ${key}` });
      const page: unknown = await response.json().catch(() => undefined);
      if (!isRecord(page))
        throw new CommandFault(
          `${address} did not answer with JSON`,
          'Give the address of the API, which ends with /v1',
        );
      const items = Array.isArray(page['data']) ? page['data'].filter(isRecord) : [];
      all.push(...items);
      const last = items.at(-1)?.['id'];
      if (page['has_more'] !== true || typeof last !== 'string') return all;
      after = `&after=${encodeURIComponent(last)}`;
    }
  };
  const found: FoundObject[] = [];
  for (const each of await readAll('/evals')) {
    const [id, file] = [String(each['id']), String(each['name'] ?? each['id'])];
    found.push({ value: each, where: `eval ${file}`, file });
    const [newest] = await readAll(`/evals/${encodeURIComponent(id)}/runs`);
    if (!newest) continue;
    const items = await readAll(
      `/evals/${encodeURIComponent(id)}/runs/${encodeURIComponent(String(newest['id']))}/output_items`,
    );
    found.push(...items.map((value, at) => ({ value, where: `eval ${file} item ${at + 1}`, file })));
  }
  return found;
}
