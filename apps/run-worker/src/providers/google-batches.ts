import { type BatchHttp, errorIn, listIn, nameIn, objectIn, textIn } from './batch-http.js';
import type { BatchApi } from './sdk-batches.js';
import type { BatchOutcome } from './provider.js';

const ended = /_(SUCCEEDED|FAILED|CANCELLED|EXPIRED)$/;

/** The batch service of Google: requests and answers within the batch, which is found by its display name. */
export const googleBatches = (http: BatchHttp): BatchApi => ({
  async submit(access, { id, model, requests }) {
    const batch = await http.json(access, `/models/${model}:batchGenerateContent`, {
      body: {
        batch: {
          display_name: id,
          input_config: {
            requests: {
              requests: requests.map(({ customId, body }) => ({ request: body, metadata: { key: customId } })),
            },
          },
        },
      },
    });
    return nameIn(batch, 'name');
  },
  async find(access, { id }) {
    let token = '';
    for (;;) {
      const page = await http.json(access, `/batches?pageSize=100${token}`);
      const found = listIn(page, 'operations').find((each) => textIn(objectIn(each, 'metadata'), 'displayName') === id);
      if (found !== undefined) return { name: nameIn(found, 'name') };
      const next = textIn(page, 'nextPageToken');
      if (next === '') return 'missing';
      token = `&pageToken=${encodeURIComponent(next)}`;
    }
  },
  async look(access, name) {
    const batch = await http.json(access, `/${name}`);
    return batch['done'] === true || ended.test(textIn(objectIn(batch, 'metadata'), 'state')) ? 'ended' : 'working';
  },
  async *outcomes(access, name) {
    const batch = await http.json(access, `/${name}`);
    const output = [objectIn(batch, 'response'), objectIn(objectIn(batch, 'metadata'), 'output')];
    for (const answers of output)
      yield* listIn(objectIn(answers, 'inlinedResponses'), 'inlinedResponses').map(toOutcome);
  },
  async cancel(access, name) {
    await http.json(access, `/${name}:cancel`, { method: 'POST' });
  },
});

function toOutcome(item: unknown): BatchOutcome {
  const customId = textIn(objectIn(item, 'metadata'), 'key');
  const answer = objectIn(item, 'response');
  return Object.keys(answer).length > 0 ? { customId, answer } : { customId, error: errorIn(objectIn(item, 'error')) };
}
