import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';

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
