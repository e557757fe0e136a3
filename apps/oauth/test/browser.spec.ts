import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startDeviceGrant } from '@lensforge/identity';
import { findChromium, openBrowser } from '@lensforge/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Camera, surroundings } from './chromium.js';
import { type Mailbox, openMailbox } from './mailbox.js';
import { type PagesSetup, authorizeUrl, openPagesSetup, password } from './pages-setup.js';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const executable = findChromium(process.env);
if (!executable) {
  process.stdout.write('no Chromium on the PATH or at CHROMIUM_PATH: the pages are not tried in a browser\n');
}

let setup: PagesSetup;
let mailbox: Mailbox;
let browser: Browser;
let tool: Server;
let toolUrl: string;
const camera = new Camera(process.env['SCREENSHOTS_FOLDER']);
const arrived: string[] = [];

(executable ? describe : describe.skip)('the sign-in pages in a browser without scripts', () => {
  beforeAll(async () => {
    mailbox = await openMailbox();
    setup = await openPagesSetup({
      environment: { LENSFORGE_SMTP_URL: mailbox.url, LENSFORGE_MAIL_FROM: 'Lensforge <hello@lensforge.example>' },
    });
    tool = createServer((request, response) => {
      arrived.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end('<title>Connected</title><p>Connected');
    });
    await new Promise<void>((ready) => tool.listen(0, '127.0.0.1', ready));
    toolUrl = `http://127.0.0.1:${(tool.address() as AddressInfo).port}/callback`;
    browser = await openBrowser(executable ?? '');
  });
  afterAll(async () => {
    await browser.close();
    tool.close();
    await setup.close();
    await mailbox.close();
  });

  it.each(Object.keys(surroundings))('lead from sign-up over the handle to a connected tool: %s', async (name) => {
    const context = await browser.newContext(surroundings[name]);
    const faults: string[] = [];
    // Expected 4xx responses and notices, such as that of a late autofocus, are not errors of a page.
    context.on('console', (message) => {
      const isFault = ['error', 'warning'].includes(message.type());
      if (isFault && !/^Failed to load resource: .* status of 4\d\d/.test(message.text())) faults.push(message.text());
    });
    const page = await context.newPage();
    const email = `${name}@mail.example`;
    const on = (heading: string) => page.getByRole('heading', { level: 1, name: heading }).waitFor();
    const snap = (what: string) => camera.take(page, `${name}-${what}`);
    const client = await setup.client('Cartographer', [toolUrl]);
    const authorize = authorizeUrl(client, { redirect_uri: toolUrl, state: 'städtchen & co' });

    await page.goto(setup.service.url + authorize);
    await snap('authorize');
    await mustFit(page);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await on('Create an account');
    await snap('sign-up');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('password');
    await page.keyboard.press('Enter');
    await page.getByText('one of the most common passwords').waitFor();
    await snap('sign-up-fault');
    expect(await page.getByLabel('Password').getAttribute('aria-describedby')).toContain('password-fault');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await on('Check your mail');
    await snap('check-mail');

    await page.goto((await mailbox.linkTo(email)).href);
    await snap('confirm');
    await page.getByRole('button', { name: 'Confirm my email' }).press('Enter');
    await on('Sign in');
    await snap('sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not it at all');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await snap('sign-in-wrong');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await on('Choose your handle');
    await snap('handle');
    await page.getByLabel('Handle').fill(`ada-${name}`);
    await page.getByLabel('Name to show').fill('Ada Lovelace');
    await page.keyboard.press('Enter');

    await on('Connect Cartographer to Lensforge?');
    await snap('continue');
    await page.getByRole('button', { name: `Continue as @ada-${name}` }).click();
    await page.waitForURL(`${toolUrl}?**`);
    const answer = new URL(page.url()).searchParams;
    expect(answer.get('code')).toMatch(/^lf_mcp_[0-9a-f]{64}$/);
    expect(answer.get('state')).toBe('städtchen & co');
    expect(arrived.some((url) => url.includes(`code=${answer.get('code') ?? '?'}`))).toBe(true);

    await theRest(page, context, snap);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('work with the keyboard alone', async () => {
    const [{ email, handle }, client] = [await setup.person(), await setup.client('Keys', [toolUrl])];
    const page = await (await browser.newContext(surroundings['desktop-light'])).newPage();
    await page.goto(setup.service.url + authorizeUrl(client, { redirect_uri: toolUrl }));
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = () => page.locator(':focus');
    await press('Tab', 'Tab', 'Tab');
    expect(await focused().getAttribute('name')).toBe('email');
    await page.keyboard.type(email);
    await press('Tab');
    await page.keyboard.type(password);
    await press('Tab');
    expect(await focused().textContent()).toContain('Sign in and connect');
    await camera.take(page, 'keyboard-focus');
    await press('Tab');
    expect(await focused().textContent()).toContain('Deny');
    await press('Shift+Tab', 'Enter');
    await page.waitForURL(`${toolUrl}?**`);
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^lf_mcp_/);

    await page.goto(`${setup.service.url}/id/`);
    await press('Tab');
    expect(await focused().textContent()).toBe('Skip to the content');
    await camera.take(page, 'keyboard-skip');
    expect(await page.getByText(`@${handle}`).count()).toBeGreaterThan(0);
  });

  it('return to the client after a denial without filling in the form', async () => {
    const client = await setup.client('Refused', [toolUrl]);
    const page = await (await browser.newContext(surroundings['phone-dark'])).newPage();
    await page.goto(setup.service.url + authorizeUrl(client, { redirect_uri: toolUrl }));
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${toolUrl}?**`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  });

  it.each(Object.keys(surroundings))('break no rule of accessibility: %s', async (name) => {
    const { email } = await setup.person();
    const context = await browser.newContext({ ...surroundings[name], javaScriptEnabled: true });
    const page = await context.newPage();
    const broken: string[] = [];
    const inspect = async (path: string): Promise<void> => {
      await page.goto(setup.service.url + path);
      await inspectShown(path);
    };
    const inspectShown = async (path: string): Promise<void> => {
      await camera.take(page, `${name}-${path.replaceAll(/\W+/g, '-')}`);
      await page.evaluate(await readFile(axe, 'utf8'));
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        'axe.run()',
      );
      broken.push(...violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html ?? ''}`));
    };
    for (const path of ['/id/sign-in', '/id/sign-up', '/id/password/forgot']) await inspect(path);
    await page.goto(`${setup.service.url}/id/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    const own = ['', 'device', 'password', 'security', 'security/app'];
    for (const path of own) await inspect(`/id/${path}`);
    const client = await setup.client('Limited', [toolUrl]);
    // With the boxes open that leave scopes out.
    const limited = authorizeUrl(client, { redirect_uri: toolUrl, scope: 'lenses:read lenses:write agents:read' });
    await inspect(limited);
    await page.getByText('Leave some of it out').click();
    await page.getByRole('checkbox', { name: 'lenses:write' }).check();
    await inspectShown(limited);
    expect(broken).toEqual([]);
    await context.close();
  });

  async function theRest(page: Page, context: BrowserContext, snap: (what: string) => Promise<void>): Promise<void> {
    const { userCode } = await startDeviceGrant(setup.ctx, { clientId: 'lensforge-cli', label: 'build machine' });
    await page.goto(`${setup.service.url}/id/device`);
    await snap('device-code');
    await page.getByLabel('Code').fill('wrong-one');
    await page.keyboard.press('Enter');
    await page.getByText('No device is waiting').waitFor();
    await snap('device-wrong');
    await page.getByLabel('Code').fill(userCode.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connect this device?' }).waitFor();
    await snap('device');
    await page.getByRole('button', { name: 'Approve' }).click();
    await snap('device-done');
    await page.goto(`${setup.service.url}/id/`);
    await mustFit(page);
    await snap('account');
    await page.getByRole('link', { name: 'Change password' }).click();
    await snap('password');
    await page.goto(`${setup.service.url}/id/authorize?client_id=nobody`);
    await snap('unknown-client');
    await page.goto(`${setup.service.url}/id/nowhere`);
    await snap('not-found');
    await page.goto(`${setup.service.url}/id/`);
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await snap('signed-out');
    await page.goto(`${setup.service.url}/id/password/forgot`);
    await snap('forgot');
    await context.clearCookies();
  }

  /** Checks that nothing overflows to the side. Page scripts are disabled, so the browser measures it. */
  async function mustFit(page: Page): Promise<void> {
    const width = page.viewportSize()?.width ?? 0;
    for (const part of await page.locator('main, .card, input:not([type=hidden]), button').all()) {
      const box = await part.boundingBox();
      if (box) expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
  }
});
