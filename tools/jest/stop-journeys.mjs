import { rm } from 'node:fs/promises';
import stopBrowser from './stop-browser.mjs';

export default async function stopJourneys() {
  await stopBrowser();
  await rm(globalThis.lensforgeTestData, { recursive: true, force: true });
}
