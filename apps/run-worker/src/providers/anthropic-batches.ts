import { type BatchHttp, errorIn, isOlder, listIn, nameIn, objectIn, textIn } from './batch-http.js';
import type { BatchApi } from './sdk-batches.js';
import type { BatchAccess, BatchOrder, BatchOutcome } from './provider.js';

/** The batch service of Anthropic. Its batches have no name of ours: one is known by the custom ids of its results. */
export const anthropicBatches = (http: BatchHttp): BatchApi => {
  /** True for the batch of an order, which has ended. */
  async function hasRequestsOf(access: BatchAccess, name: string, { requests }: BatchOrder): Promise<boolean> {
    const ids = new Set(requests.map(({ customId }) => customId));
    for await (const line of http.lines(access, `/messages/batches/${name}/results`)) {
      if (ids.has(textIn(line, 'custom_id'))) return true;
    }
    return false;
  }

  return {
    async submit(access, { requests }) {
      const batch = await http.json(access, '/messages/batches', {
        body: { requests: requests.map(({ customId, body }) => ({ custom_id: customId, params: body })) },
      });
      return nameIn(batch, 'id');
    },
    async find(access, order) {
      let isLater = false;
      let after = '';
      for (;;) {
        const page = await http.json(access, `/messages/batches?limit=100${after}`);
        const batches = listIn(page, 'data').filter(
          (batch) => !isOlder(Date.parse(textIn(batch, 'created_at')), order.createdAt),
        );
        for (const batch of batches.filter((each) => countRequests(each) === order.size)) {
          const name = nameIn(batch, 'id');
          if (textIn(batch, 'processing_status') !== 'ended') isLater = true;
          else if (await hasRequestsOf(access, name, order)) return { name };
        }
        if (page['has_more'] !== true || batches.length === 0) return isLater ? 'later' : 'missing';
        after = `&after_id=${encodeURIComponent(nameIn(batches.at(-1), 'id'))}`;
      }
    },
    async look(access, name) {
      const batch = await http.json(access, `/messages/batches/${name}`);
      return textIn(batch, 'processing_status') === 'ended' ? 'ended' : 'working';
    },
    async *outcomes(access, name) {
      for await (const line of http.lines(access, `/messages/batches/${name}/results`)) yield toOutcome(line);
    },
    async cancel(access, name) {
      await http.json(access, `/messages/batches/${name}/cancel`, { method: 'POST' });
    },
  };
};

const countRequests = (batch: unknown): number =>
  Object.values(objectIn(batch, 'request_counts')).reduce<number>((sum, count) => sum + Number(count), 0);

function toOutcome(line: Record<string, unknown>): BatchOutcome {
  const customId = textIn(line, 'custom_id');
  const result = objectIn(line, 'result');
  const type = textIn(result, 'type');
  if (type === 'succeeded') return { customId, answer: result['message'] };
  const error = objectIn(result, 'error');
  return { customId, error: type === 'errored' ? errorIn(objectIn(error, 'error')) : `the request is ${type}` };
}
