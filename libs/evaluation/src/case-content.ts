import type { DatasetCase, DatasetCaseInput } from '@lensforge/contracts';

/** A case without its key and revision. */
export type CaseContent = Pick<DatasetCase, 'params' | 'expected' | 'metadata' | 'tags' | 'assertions'>;

/** The content of a case as it is stored, so that equal contents are equal. */
export function toContent({
  params,
  expected,
  metadata,
  tags,
  assertions = [],
}: Omit<DatasetCaseInput, 'key'>): CaseContent {
  const content = {
    params,
    expected: expected ?? null,
    metadata: metadata ?? null,
    tags: [...new Set(tags)],
    assertions,
  };
  return JSON.parse(JSON.stringify(content)) as CaseContent;
}
