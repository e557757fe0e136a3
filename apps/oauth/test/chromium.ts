import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

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

export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });

/** Phone and desktop, light and dark, all without scripts. */
export const surroundings: Readonly<Record<string, BrowserContextOptions>> = {
  'desktop-light': { viewport: { width: 1200, height: 860 }, colorScheme: 'light', javaScriptEnabled: false },
  'phone-dark': {
    viewport: { width: 375, height: 740 },
    colorScheme: 'dark',
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
    javaScriptEnabled: false,
  },
};

/** Takes screenshots of whole pages, if a folder for them is given. */
export class Camera {
  constructor(private readonly folder: string | undefined) {}

  async take(page: Page, name: string): Promise<void> {
    if (this.folder) await page.screenshot({ path: join(this.folder, `${name}.png`), fullPage: true });
  }
}
