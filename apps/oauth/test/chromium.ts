import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** Where CHROMIUM_PATH says that a Chromium is, or the first one on the PATH. */
export function findChromium({ CHROMIUM_PATH: told, PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  if (told) return isProgram(told) ? told : undefined;
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

/** A phone and a desktop, in the light and in the dark; no scripts anywhere. */
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

/** Takes pictures of whole pages for people to look at, when it was given a folder for them. */
export class Camera {
  constructor(private readonly folder: string | undefined) {}

  async take(page: Page, name: string): Promise<void> {
    if (this.folder) await page.screenshot({ path: join(this.folder, `${name}.png`), fullPage: true });
  }
}
