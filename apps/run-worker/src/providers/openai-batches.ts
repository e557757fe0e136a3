import { isRecord } from '@lensforge/contracts';
import { type BatchHttp, errorIn, isOlder, listIn, nameIn, objectIn, textIn } from './batch-http.js';
import type { BatchApi } from './sdk-batches.js';
import type { BatchOutcome } from './provider.js';

const ended: readonly string[] = ['completed', 'failed', 'expired', 'cancelled'];
const idMember = 'lensforgeBatch';

/** The batch service of OpenAI: a file with requests, a batch with our id in its metadata, and files with results. */
export const openaiBatches = (http: BatchHttp): BatchApi => ({
  async submit(access, { id, requests }) {
    const lines = requests.map(({ customId, body }) =>
      JSON.stringify({ custom_id: customId, method: 'POST', url: '/v1/responses', body }),
    );
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new Blob([lines.join('\n')], { type: 'application/jsonl' }), `${id}.jsonl`);
    const file = await http.json(access, '/files', { body: form });
    const batch = await http.json(access, '/batches', {
      body: {
        input_file_id: nameIn(file, 'id'),
        endpoint: '/v1/responses',
        completion_window: '24h',
        metadata: { [idMember]: id },
      },
    });
    return nameIn(batch, 'id');
  },
  async find(access, { id, createdAt }) {
    let after = '';
    for (;;) {
      const page = await http.json(access, `/batches?limit=100${after}`);
      const batches = listIn(page, 'data');
      const found = batches.find((batch) => textIn(objectIn(batch, 'metadata'), idMember) === id);
      if (found !== undefined) return { name: nameIn(found, 'id') };
      const last = batches.at(-1);
      if (page['has_more'] !== true || last === undefined || isOlder(createdMs(last), createdAt)) return 'missing';
      after = `&after=${encodeURIComponent(nameIn(last, 'id'))}`;
    }
  },
  async look(access, name) {
    const batch = await http.json(access, `/batches/${name}`);
    return ended.includes(textIn(batch, 'status')) ? 'ended' : 'working';
  },
  async *outcomes(access, name) {
    const batch = await http.json(access, `/batches/${name}`);
    for (const member of ['output_file_id', 'error_file_id']) {
      const file = textIn(batch, member);
      if (file === '') continue;
      for await (const line of http.lines(access, `/files/${file}/content`)) yield toOutcome(line);
    }
  },
  async cancel(access, name) {
    await http.json(access, `/batches/${name}/cancel`, { method: 'POST' });
  },
});

const createdMs = (batch: unknown): number => (isRecord(batch) ? Number(batch['created_at']) * 1000 : NaN);

function toOutcome(line: Record<string, unknown>): BatchOutcome {
  const customId = textIn(line, 'custom_id');
  const response = objectIn(line, 'response');
  if (response['status_code'] === 200) return { customId, answer: response['body'] };
  const error = response['body'] === undefined ? line['error'] : objectIn(response['body'], 'error');
  return { customId, error: errorIn(error) };
}
