import { describe, expect, it } from '@jest/globals';
import type { shapes } from '@lensforge/sdk';
import { maxExportedRuns, writeRunsCsv } from './runs-csv.js';

const run = {
  id: 'a',
  status: 'succeeded',
  title: 'Say "hello", once',
  modelKey: 'echo',
  errorCode: null,
  createdAt: '2026-01-01T00:00:00Z',
} as shapes.RunItem;

async function* repeat(item: shapes.RunItem, times: number): AsyncGenerator<shapes.RunItem> {
  for (let n = 0; n < times; n += 1) yield item;
}

describe('writeRunsCsv', () => {
  it('writes the chosen columns, quoted', async () => {
    const { lines, isWhole } = await writeRunsCsv(repeat(run, 1), [
      { name: 'modelKey', read: ({ modelKey }) => modelKey },
      { name: 'errorCode', read: ({ errorCode }) => errorCode },
      { name: 'durationMs', read: () => 1500 },
    ]);
    expect(isWhole).toBe(true);
    expect(lines).toEqual([
      '"id","status","title","modelKey","errorCode","durationMs","createdAt"\r\n',
      '"a","succeeded","Say ""hello"", once","echo","","1500","2026-01-01T00:00:00Z"\r\n',
    ]);
  });

  it('does not let a spreadsheet compute a title', async () => {
    const { lines } = await writeRunsCsv(repeat({ ...run, title: '=1+1' }, 1), []);
    expect(lines[1]).toContain(`"'=1+1"`);
  });

  it('ends at its limit, and says so', async () => {
    const { lines, isWhole } = await writeRunsCsv(repeat(run, maxExportedRuns + 1), []);
    expect(isWhole).toBe(false);
    expect(lines).toHaveLength(maxExportedRuns + 1);
    expect((await writeRunsCsv(repeat(run, maxExportedRuns), [])).isWhole).toBe(true);
  });
});
