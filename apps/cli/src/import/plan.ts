import { createHash } from 'node:crypto';
import type { shapes } from '@lensforge/sdk';

/** The things of another system as lenses, datasets and scorers, before anything is written. */
export interface ImportPlan {
  lenses: PlannedLens[];
  datasets: PlannedDataset[];
  scorers: shapes.ScorerCreate[];
}

export interface PlannedLens {
  /** Names the lens in its source; a second import finds it by this. */
  key: string;
  title: string;
  description: string;
  tags: string[];
  /** The oldest first. */
  versions: PlannedVersion[];
  /** Labels with the indexes of their versions. */
  labels: Readonly<Record<string, number>>;
  where: string;
}

export interface PlannedVersion {
  templateBody: string;
  settings: shapes.LensSettings | null;
  changelog: string;
}

export interface PlannedDataset {
  name: string;
  description: string;
  cases: shapes.DatasetCaseInput[];
}

/** An element that is not as it was, with its place in the source. */
export interface Note {
  effect: 'approximated' | 'left out';
  where: string;
  what: string;
}

/** The notes of an import, each once. */
export class Notes {
  private readonly byText = new Map<string, Note>();

  approximate(where: string, what: string): void {
    this.add({ effect: 'approximated', where, what });
  }

  leaveOut(where: string, what: string): void {
    this.add({ effect: 'left out', where, what });
  }

  get list(): Note[] {
    return [...this.byText.values()];
  }

  private add(note: Note): void {
    this.byText.set(`${note.where}\n${note.what}`, note);
  }
}

/** The tag by which a second import finds a lens. */
export function toKeyTag(source: string, key: string): string {
  const plain = key
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 24);
  return `${source} ${plain.replace(/^-|-$/g, '')} ${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

/** True for a tag that toKeyTag has made. */
export const isKeyTag = (tag: string): boolean => /^(?:openai|langfuse|promptfoo) .* [0-9a-f]{8}$/.test(tag);

const notInTags = /[^\p{L}\p{M}\p{N} ._-]+/gu;

/** Tags in the letters that tags of lenses have. */
export const toTags = (given: unknown): string[] =>
  (Array.isArray(given) ? given : [])
    .filter((tag): tag is string => typeof tag === 'string')
    .map((tag) =>
      tag
        .replaceAll(notInTags, '-')
        .replace(/^[ ._-]+/, '')
        .slice(0, 50)
        .replace(/(?<![ ._-])[ ._-]+$/, ''),
    )
    .filter((tag) => tag !== '')
    .slice(0, 18);
