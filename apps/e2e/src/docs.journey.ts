import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findChromium, openBrowser, patienceMs } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findings, overflow } from './browser-page.js';
import { differences, runSteps, stepsOf } from './shell-page.js';
import { TestPlatform } from './test-platform.js';

const executable = findChromium(process.env);
if (!executable)
  process.stdout.write('no Chromium on the PATH or at CHROMIUM_PATH: the pages are not tried in a browser\n');

const html = { accept: 'text/html,*/*;q=0.8' };

let setup: TestPlatform;
let url: string;

beforeAll(async () => {
  setup = await TestPlatform.open({ allInOne: true, signIn: false });
  url = setup.platform.urlOf('api-gateway');
});
afterAll(() => setup.close());

describe('the pages of the gateway', () => {
  it('say at / where things are, as a page and as JSON', async () => {
    const page = await fetch(url, { headers: html });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toBe('accept, accept-encoding');
    const text = await page.text();
    const program = (await (await fetch(url)).json()) as { links: Record<string, string> };
    expect(Object.keys(program.links)).toEqual(['console', 'documentation', 'reference', 'openapi', 'llms', 'health']);
    const linked = [...text.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => new URL(String(href), url).href);
    expect(linked).toHaveLength(6);
    for (const path of [...linked, ...Object.values(program.links)]) {
      const { status } = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${setup.token}` } });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it.each([
    ['/docs/lenses', 'text/html; charset=utf-8', '<h1 id="lenses"'],
    ['/docs/lenses.md', 'text/markdown; charset=utf-8', '# Lenses'],
    ['/llms.txt', 'text/plain; charset=utf-8', '- [Lenses](/docs/lenses.md): '],
    ['/llms-full.txt', 'text/plain; charset=utf-8', '<!-- /docs/lenses.md -->'],
  ])('have %s', async (path, type, part) => {
    const { status, headers, ...answer } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(answer.text).toContain(part);
  });

  it('are compressed, and revalidated or cached for a year', async () => {
    const page = await get('/reference/', html);
    const [viewer = ''] = /scalar-\w+\.js/.exec(page.text) ?? [];
    const script = await get(`/reference/${viewer}`, { 'accept-encoding': 'br' });
    expect(script.headers.get('content-encoding')).toBe('br');
    expect(Number(script.headers.get('content-length'))).toBeLessThan(1_000_000);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const known = { ...html, 'if-none-match': String(page.headers.get('etag')) };
    expect((await get('/reference/', known)).status).toBe(304);
  });

  it('have a page for addresses without one', async () => {
    const { status, text } = await get('/docs/a/b/none', html);
    expect([status, text]).toEqual([404, expect.stringContaining('href="/docs/assets/site-')]);
    expect((await get('/docs/none')).text).toContain('"code":"not_found"');
  });
});

it('the commands of the tutorial print what it shows', async () => {
  const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'tutorial.md');
  const [settings, ...steps] = stepsOf(await readFile(file, 'utf8'));
  // The first block takes over the addresses and tokens of `npm start`.
  expect(settings?.command).toBe('eval "$(npm start -s -- --env)"\n');
  expect(steps.length).toBeGreaterThan(9);
  const printed = await runSteps(steps, {
    ...process.env,
    LENSFORGE_API_URL: url,
    LENSFORGE_API_KEY: setup.token,
    WORKFLOW: setup.platform.workflowId,
    MCP: setup.platform.urlOf('mcp-gateway'),
    MCP_TOKEN: setup.platform.tokens['mcp'],
  });
  expect(differences(steps, printed)).toEqual([]);
});

(executable ? describe : describe.skip)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(executable ?? '');
  });
  afterAll(() => browser.close());

  const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
  const desktop = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' } as const;

  it.each<[string, BrowserContextOptions, string]>([
    ['light and wide', desktop, 'rgb(255, 255, 255)'],
    ['dark and narrow', phone, 'rgb(20, 23, 27)'],
  ])('the documentation is readable: %s', async (_name, options, background) => {
    const opened = await open(browser, '/docs/', options);
    const { page, faults } = opened;
    for (const path of ['', 'quick-start', 'contributing/', 'lenses', 'none']) {
      await page.goto(`${url}/docs/${path}`);
      expect(await overflow(page)).toBe(0);
      expect([path, await findings(page)]).toEqual([path, []]);
    }
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(background);
    expect(faults.filter((fault) => !fault.includes('status of 404'))).toEqual([]);
    await page.close();
  });

  it('the documentation is searched by keyboard', async () => {
    const { page, faults } = await open(browser, '/docs/lenses', desktop);
    await page.keyboard.press('/');
    await page.keyboard.type('signature of webhooks');
    await page.getByRole('option').first().waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/*webhooks*');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zzzzzz');
    await page.getByText('No page has these words.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('code is copied', async () => {
    const { page, faults } = await open(browser, '/docs/lenses', {
      ...desktop,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('curl -s -X POST $');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('programs are shown in the language that the reader chose', async () => {
    const { page, faults } = await open(browser, '/docs/sdk', phone);
    const programs = page.locator('.languages');
    const visible = async (at: number) => (await programs.nth(at).locator('pre:visible').allTextContents()).join('|');
    expect(await visible(0)).toMatch(/^curl /);
    await programs.nth(1).getByRole('button', { name: 'Python' }).click();
    expect(await visible(0)).toMatch(/^import os\nfrom lensforge/);
    expect(await visible(1)).toMatch(/^reply = client\.with_response/);
    await page.reload();
    expect(await visible(1)).toMatch(/^reply = client\.with_response/);
    expect(await programs.first().getByRole('button', { pressed: true }).allTextContents()).toEqual(['Python']);
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('the API reference has the operations and a search', async () => {
    const { page, faults } = await open(browser, '/reference/', desktop);
    await page.getByText('Downloads the description of this API').first().waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Reference Search' });
    await dialog.getByRole('combobox').fill('new secret');
    await dialog.getByText('Gives a webhook endpoint a new secret').first().waitFor();
    // The viewer probes for eval, which the policy refuses, and warns of what its own validator does not know.
    const known = /requires 'TrustedScript' assignment|^document validation errors|^\[Object/;
    expect(faults.filter((fault) => !known.test(fault))).toEqual([]);
    await page.close();
  });
});

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Opens a page; `faults` collects what its console says, and requests to other hosts. */
async function open(
  browser: Browser,
  path: string,
  options: BrowserContextOptions,
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs);
  const faults: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  await page.goto(url + path);
  return { page, faults };
}
