import { text } from 'node:stream/consumers';
import { findChromium, openBrowser, patienceMs, until } from '@lensforge/testing';
import { describe } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Download, Locator, Page } from 'playwright-core';
import { type PlatformOptions, TestPlatform } from './test-platform.js';

export const desktop = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' } as const;
export const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;

type Environment = Parameters<typeof findChromium>[0];

/** Tests that need a browser; without one a line says what is skipped. */
export const describeInBrowser = (environment: Environment, what: string, tests: () => void): void => {
  const executable = findChromium(environment);
  if (!executable) process.stdout.write(`no Chromium on the PATH or at CHROMIUM_PATH: ${what} is not tried\n`);
  (executable ? describe : describe.skip)(what, tests);
};

/** Presses a button until `shown` is there: the sandbox of a busy machine may refuse a check, which a person then repeats. */
export const pressUntil = (page: Page, name: string, shown: Locator): Promise<unknown> =>
  until(
    async () => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('button', { name, exact: true, disabled: false }).waitFor();
      return shown.isVisible();
    },
    { every: 500, what: `what ${name} shows` },
  );

/** The text of a file that a page gave to its reader. */
export const readDownload = async (download: Download): Promise<string> => text(await download.createReadStream());

/** The console of a running platform, in a browser. */
export class ConsoleBrowser {
  private constructor(
    readonly setup: TestPlatform,
    readonly browser: Browser,
  ) {}

  static async open(environment: Environment, options?: PlatformOptions): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(
      await TestPlatform.open({ allInOne: true, ...options }),
      await openBrowser(findChromium(environment) ?? ''),
    );
  }

  get url(): string {
    return this.setup.platform.urlOf('api-gateway');
  }

  /** Makes an object as the first demo user and returns its id. */
  async make(path: string, body: Record<string, unknown>): Promise<string> {
    const token = this.setup.platform.tokens['session'] ?? '';
    const { status, body: answer } = await this.setup.call('POST', path, { body, token });
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return String(answer.data?.['id']);
  }

  /** A window of its own. Its steps wait longer than usual, for a machine that tests other things as well. */
  async newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext(options);
    context.setDefaultTimeout(patienceMs);
    return context;
  }

  /** Signs a demo user in, usually the first. `faults` collects what the browser reports. */
  async signedIn(
    options: BrowserContextOptions = desktop,
    user = this.setup.platform.users[0],
  ): Promise<{ page: Page; context: BrowserContext; faults: string[] }> {
    const context = await this.newContext(options);
    const faults: string[] = [];
    const page = await this.openPage(context, faults);
    await page.goto(`${this.url}/console/runs`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.fill('[name=email]', user?.email ?? '');
    await page.fill('[name=password]', user?.password ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    return { page, context, faults };
  }

  async openPage(context: BrowserContext, faults: string[]): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.setup.close();
  }
}
