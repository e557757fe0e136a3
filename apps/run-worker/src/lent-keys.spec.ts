import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ByokOpener, createByokKey, readableByokKey, revokeByokKey } from '@lensforge/byok';
import { aKeyPair } from '@lensforge/byok/testing';
import type { Workshop } from '../test/an-engine.js';
import { aWorkshop } from '../test/an-engine.js';
import { LentKeys } from './lent-keys.js';
import type { Provider } from './providers/provider.js';

let workshop: Workshop;
let keys: LentKeys;
const secret = 'sk-live-c2FVsBQIhrscChlQIMV';

beforeAll(async () => {
  workshop = await aWorkshop();
  const ring = await aKeyPair(workshop.ctx);
  keys = new LentKeys(workshop.ctx.db, new ByokOpener(ring));
});
afterAll(() => workshop.close());

const aKey = () => createByokKey(workshop.ctx, { provider: 'openai', label: 'mine', secret });
const accept = (byokKeyRefId: string) => workshop.accept('Hi', { fundingSource: 'user_byok_cloud', byokKeyRefId });
const execute = async (runId: string, parts: { keys: LentKeys }) => {
  const seen: (string | undefined)[] = [];
  const provider: Provider = {
    key: 'openai',
    keyless: true,
    async *stream({ apiKey }) {
      seen.push(await Promise.resolve(apiKey));
      yield { delta: 'Hello' };
      yield { usage: { input: 1, output: 1 } };
    },
  };
  await workshop.engine({ ...parts, provider }).execute({ runId, generation: 0 });
  return seen;
};

describe('a key that a caller has lent', () => {
  it('is seen by its provider exactly, and by nobody else; the run is free', async () => {
    const { id } = await aKey();
    const runId = await accept(id);
    expect(await execute(runId, { keys })).toEqual([secret]);
    expect(await workshop.run(runId)).toMatchObject({ status: 'succeeded', billingStatus: 'none', creditCost: 0 });
    expect(JSON.stringify([await workshop.run(runId), await workshop.events(runId)])).not.toContain('sk-live');
    expect((await readableByokKey(workshop.ctx, id)).lastUsedAt).not.toBeNull();
  });

  it('fails the run when it was revoked in the meantime', async () => {
    const { id } = await aKey();
    const runId = await accept(id);
    await revokeByokKey(workshop.ctx, id);
    expect(await execute(runId, { keys })).toEqual([]);
    expect(await workshop.run(runId)).toMatchObject({ status: 'failed', errorCode: 'KEY_REVOKED' });
  });

  it('is left to another worker by one that has no master key', async () => {
    const runId = await accept((await aKey()).id);
    expect(await execute(runId, { keys: new LentKeys(workshop.ctx.db, undefined) })).toEqual([]);
    expect(await workshop.story(runId)).toContain('run.retrying');
  });
});
