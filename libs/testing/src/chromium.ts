import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

/** The headless shell first: it makes no windows, which take most of the time of a short test. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** The Chromium at CHROMIUM_PATH, or the first one on the PATH. */
export function findChromium({ CHROMIUM_PATH: configured, PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  if (configured) return isProgram(configured) ? configured : undefined;
  return PATH.split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Opens a Chromium for a test file. Its driver is loaded by the tests alone that need it. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
}
