// Executes a lens for each line of a file of JSON objects and prints a line of JSON for each result, in the same order:
//   node examples/batch/batch.mjs LENS_ID examples/batch/products.jsonl > notes.jsonl
// A second start within 24 hours continues: a line returns the run that it already has, also when lines were added or moved.
// After a new version of the lens, each line is executed with that version.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { call, ended, pickText } from '../api.mjs';

const perRequest = 100;
const [lensId, file] = process.argv.slice(2);
if (!lensId || !file) throw new Error('Name a lens and a file: node batch.mjs LENS_ID FILE');

const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
const { servedVersion } = await call('GET', `/lenses/${lensId}`);
const timesSeen = new Map();
const orders = lines.map((line) => {
  // Equal lines are runs of their own.
  const times = (timesSeen.get(line) ?? 0) + 1;
  timesSeen.set(line, times);
  return {
    params: JSON.parse(line),
    idempotencyKey: createHash('sha256').update(`${servedVersion.id} ${times} ${line}`).digest('hex'),
  };
});

for (let from = 0; from < orders.length; from += perRequest) {
  const some = orders.slice(from, from + perRequest);
  const { items } = await call('POST', `/lenses/${lensId}/execute-batch`, { items: some });
  for (const [index, { runId, error }] of items.entries()) {
    const { params } = some[index];
    const run = runId ? await ended(runId) : undefined;
    if (run?.status !== 'succeeded') process.exitCode = 1;
    const result =
      run?.status === 'succeeded' ? { text: pickText(run) } : { error: error?.message ?? run.errorMessage };
    console.log(JSON.stringify({ params, ...result }));
  }
}
