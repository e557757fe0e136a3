import { rm } from 'node:fs/promises';

export default async function stopJourneys() {
  await rm(globalThis.lensforgeTestData, { recursive: true, force: true });
}
