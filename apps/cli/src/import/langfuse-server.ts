import { CommandFault } from '../faults.js';
import { isRecord, toText } from '../eval/config-source.js';
import { type FoundObject, fetchFrom } from './read-objects.js';

const perPage = 50;

/** Reads the objects of a project from a server that has the API of Langfuse. */
export class LangfuseServer {
  constructor(
    private readonly baseUrl: string,
    private readonly keys: { publicKey: string; secretKey: string },
    private readonly signal: AbortSignal,
  ) {}

  /** All versions of all prompts. */
  async readPrompts(): Promise<FoundObject[]> {
    const prompts: FoundObject[] = [];
    for (const { name, versions } of await this.readAll('/api/public/v2/prompts'))
      prompts.push(...(await this.readEach(String(name), Array.isArray(versions) ? (versions as unknown[]) : [])));
    return prompts;
  }

  /** All versions of a prompt. */
  async readVersions(name: string): Promise<FoundObject[]> {
    const { version } = await this.readPrompt(name, 'latest');
    return this.readEach(
      name,
      Array.from({ length: Number(version) }, (_, at) => at + 1),
    );
  }

  readPrompt(name: string, label: string): Promise<Record<string, unknown>> {
    return this.get(`/api/public/v2/prompts/${encodeURIComponent(name)}?label=${encodeURIComponent(label)}`);
  }

  private async readEach(name: string, versions: readonly unknown[]): Promise<FoundObject[]> {
    const found: FoundObject[] = [];
    for (const version of versions) {
      const path = `/api/public/v2/prompts/${encodeURIComponent(name)}?version=${String(version)}`;
      found.push({ value: await this.get(path), where: `${name} version ${String(version)}`, file: '' });
    }
    return found;
  }

  /** Datasets with their items, and scores. */
  async readDatasets(): Promise<FoundObject[]> {
    const found: FoundObject[] = [];
    const take = (kind: string, values: Record<string, unknown>[]): void =>
      values.forEach((value, at) =>
        found.push({ value, where: `${kind} ${toText(value['name']) ?? toText(value['id']) ?? at + 1}`, file: '' }),
      );
    const datasets = await this.readAll('/api/public/v2/datasets');
    take('dataset', datasets);
    for (const { name } of datasets)
      take('item', await this.readAll(`/api/public/dataset-items?datasetName=${encodeURIComponent(String(name))}`));
    if (datasets.length > 0) take('score', await this.readAll('/api/public/v2/scores'));
    return found;
  }

  private async readAll(path: string): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = await this.get(`${path}${path.includes('?') ? '&' : '?'}page=${page}&limit=${perPage}`);
      const items = Array.isArray(data) ? data.filter(isRecord) : [];
      all.push(...items);
      const last = isRecord(meta) ? Number(meta['totalPages'] ?? 1) : 1;
      if (items.length === 0 || page >= last) return all;
    }
  }

  private async get(path: string): Promise<Record<string, unknown>> {
    const { publicKey, secretKey } = this.keys;
    const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`;
    const address = this.baseUrl.replace(/(?<!\/)\/+$/, '') + path;
    const response = await fetchFrom(address, this.signal, { authorization });
    const body: unknown = await response.json().catch(() => undefined);
    if (isRecord(body)) return body;
    throw new CommandFault(`${address} did not answer with JSON`, 'Give the address of the server, without a path');
  }
}
