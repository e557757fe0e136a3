import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, RateLimitedError, type shapes } from '@lensforge/sdk';
import type { Session } from '../session.js';
import { findDataset } from '../eval/sync-dataset.js';
import {
  type ImportPlan,
  type Notes,
  type PlannedDataset,
  type PlannedLens,
  type PlannedVersion,
  toKeyTag,
} from './plan.js';

export interface Imported {
  name: string;
  state: 'new' | 'changed' | 'unchanged' | 'refused';
  /** Its versions or cases. */
  size: number;
  id?: string;
}

export interface ImportResult {
  lenses: Imported[];
  datasets: Imported[];
  scorers: Imported[];
}

const casesPerRequest = 500;

/** Writes what a plan has and the account does not. A dry run only compares. */
export class PlanWriter {
  constructor(
    private readonly session: Session,
    private readonly options: { source: string; isDry: boolean; notes: Notes },
  ) {}

  async write(plan: ImportPlan): Promise<ImportResult> {
    const result: ImportResult = { lenses: [], datasets: [], scorers: [] };
    const { account } = await this.session.client.me.get(this.session.call);
    for (const lens of plan.lenses) {
      const name = lens.title;
      result.lenses.push(
        await this.tell(name, lens.where, lens.versions.length, () => this.writeLens(lens, account?.handle)),
      );
    }
    for (const dataset of plan.datasets) {
      result.datasets.push(
        await this.tell(dataset.name, dataset.name, dataset.cases.length, () => this.writeDataset(dataset)),
      );
    }
    const known = await this.readScorers(plan.scorers.length);
    for (const scorer of plan.scorers)
      result.scorers.push(await this.tell(scorer.name, scorer.name, 1, () => this.writeScorer(scorer, known)));
    return result;
  }

  /** A refusal of one object does not keep the others out. */
  private async tell(
    name: string,
    where: string,
    size: number,
    write: () => Promise<Pick<Imported, 'state' | 'id'>>,
  ): Promise<Imported> {
    try {
      return { name, size, ...(await write()) };
    } catch (reason) {
      if (!(reason instanceof ApiError) || reason.status >= 500 || [401, 403].includes(reason.status)) throw reason;
      this.options.notes.leaveOut(where, reason.message);
      return { name, size, state: 'refused' };
    }
  }

  /** Waits when the account has made too many requests in a minute. */
  private async patiently<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (reason) {
        if (!(reason instanceof RateLimitedError)) throw reason;
        this.session.terminal.progress('waiting for the rate limit');
        await pause((reason.retryAfter ?? 10) * 1000, undefined, { signal: this.session.signal });
      }
    }
  }

  private async writeLens(lens: PlannedLens, handle: string | undefined): Promise<Pick<Imported, 'state' | 'id'>> {
    const { client, call } = this.session;
    const tag = toKeyTag(this.options.source, lens.key);
    const found = await this.findLens(tag, handle);
    const file = found === undefined ? undefined : await this.patiently(() => client.lenses.export(found, call));
    const semvers = matchVersions(lens.versions, file?.versions ?? []);
    const isKnown = (label: string, at: number): boolean =>
      semvers[at] !== undefined && file?.labels?.find((each) => each.label === label)?.semver === semvers[at];
    const isWhole =
      !semvers.includes(undefined) && Object.entries(lens.labels).every(([label, at]) => isKnown(label, at));
    if (found !== undefined && (isWhole || this.options.isDry))
      return { state: isWhole ? 'unchanged' : 'changed', id: found };
    if (this.options.isDry) return { state: 'new' };
    let id = found;
    for (const [at, { templateBody, settings, changelog }] of lens.versions.entries()) {
      if (semvers[at] !== undefined) continue;
      const known = id;
      const record = await this.patiently(() =>
        known === undefined
          ? client.lenses.create(
              { title: lens.title, description: lens.description, templateBody, settings, tags: [...lens.tags, tag] },
              call,
            )
          : client.lenses.update(known, { templateBody, settings, ...(changelog !== '' && { changelog }) }, call),
      );
      id = record.id;
      semvers[at] = record.headVersion.semver;
    }
    for (const [label, at] of Object.entries(lens.labels)) {
      if (!isKnown(label, at) && id !== undefined) await this.setLabel(id, label, semvers[at] ?? '', lens.where);
    }
    return { state: found === undefined ? 'new' : 'changed', ...(id !== undefined && { id }) };
  }

  private async setLabel(id: string, label: string, version: string, where: string): Promise<void> {
    const { client, call } = this.session;
    try {
      await this.patiently(() => client.lenses.setLabel(id, label, { version }, call));
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      this.options.notes.leaveOut(where, `the label ${label}: ${reason.message}`);
    }
  }

  private async findLens(tag: string, handle: string | undefined): Promise<string | undefined> {
    for await (const { id, author } of this.session.client.lenses.list({ tag, limit: 100 }, this.session.call))
      if (author.handle === handle) return id;
    return undefined;
  }

  private async writeDataset({ name, description, cases }: PlannedDataset): Promise<Pick<Imported, 'state' | 'id'>> {
    const { client, call } = this.session;
    const id = (await findDataset(this.session, name))?.id;
    if (this.options.isDry)
      return id === undefined ? { state: 'new' } : { state: await this.compareCases(id, cases), id };
    const isNew = id === undefined;
    const dataset = id ?? (await this.patiently(() => client.datasets.create({ name, description }, call))).id;
    let changes = 0;
    for (let from = 0; from < cases.length; from += casesPerRequest) {
      const content = cases
        .slice(from, from + casesPerRequest)
        .map((each) => JSON.stringify(each))
        .join('\n');
      const change = await this.patiently(() =>
        client.datasets.importCases(dataset, { format: 'ndjson', content }, call),
      );
      changes += change.added + change.changed;
    }
    return { state: isNew ? 'new' : changes > 0 ? 'changed' : 'unchanged', id: dataset };
  }

  private async compareCases(
    datasetId: string,
    cases: readonly shapes.DatasetCaseInput[],
  ): Promise<'changed' | 'unchanged'> {
    const { client, call } = this.session;
    const known = new Map<string, string>();
    for await (const each of client.datasets.listCases(datasetId, { limit: 100 }, call))
      known.set(each.key, toContent(each));
    return cases.every((each) => known.get(each.key) === toContent(each)) ? 'unchanged' : 'changed';
  }

  private async readScorers(wanted: number): Promise<shapes.StoredScorer[]> {
    const { client, call } = this.session;
    const known: shapes.StoredScorer[] = [];
    if (wanted > 0) for await (const each of client.scorers.list({ limit: 100 }, call)) known.push(each);
    return known;
  }

  private async writeScorer(
    scorer: shapes.ScorerCreate,
    known: readonly shapes.StoredScorer[],
  ): Promise<Pick<Imported, 'state' | 'id'>> {
    const { client, call } = this.session;
    const found = known.find(({ name }) => name === scorer.name);
    if (found) {
      if (canonical(found.rule) !== canonical(scorer.rule))
        this.options.notes.leaveOut(scorer.name, 'the scorer of this name has another rule here, and stays');
      return { state: 'unchanged', id: found.id };
    }
    if (this.options.isDry) return { state: 'new' };
    const { id } = await this.patiently(() => client.scorers.create(scorer, call));
    return { state: 'new', id };
  }
}

/**
 * The numbers of the planned versions that exist, in their order. Behind one that is missing all are missing, so that what is
 * written last is the newest.
 */
function matchVersions(
  planned: readonly PlannedVersion[],
  existing: readonly shapes.LensFileVersion[],
): (string | undefined)[] {
  let from = 0;
  return planned.map((version) => {
    const at = existing.findIndex((each, index) => index >= from && isSameVersion(each, version));
    from = at < 0 ? existing.length : at;
    return existing[at]?.semver;
  });
}

/** The content of a case; what is empty counts as absent. */
const toContent = ({ params, expected, metadata, tags, assertions }: shapes.DatasetCaseInput): string => {
  const members = Object.entries({ params, expected, metadata, tags, assertions });
  const isEmpty = (value: unknown): boolean =>
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
  return canonical(Object.fromEntries(members.filter(([, value]) => !isEmpty(value))));
};

const isSameVersion = (one: shapes.LensFileVersion, other: PlannedVersion): boolean =>
  one.templateBody === other.templateBody && canonical(one.settings ?? null) === canonical(other.settings);

/** JSON with sorted members. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join()}}`;
}
