import type { ExportedObject } from '@lensforge/contracts';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, describeInBrowser, pressUntil, readDownload } from './console-browser.js';
import type { TestPlatform } from './test-platform.js';

const email = 'newcomer@lensforge.test';
const password = 'a long and honest sentence';

describeInBrowser(process.env, 'the first visit of a newcomer to the console', () => {
  let console: ConsoleBrowser;
  let setup: TestPlatform;
  let page: Page;
  let url: string;
  const times: string[] = [];
  let hasFailed = false;

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env, { environment: { LOG_LEVEL: 'info' } });
    ({ setup, url } = console);
    page = await (await console.newContext()).newPage();
  });
  afterAll(async () => {
    process.stdout.write(`console tour: ${times.join(', ')}\n`);
    await console.close();
  });

  /** A step of the tour, which needs the steps before it; its time is printed. */
  const step = (name: string, work: () => Promise<void>): void => {
    it(name, async () => {
      expect(hasFailed).toBe(false);
      hasFailed = true;
      const since = performance.now();
      await work();
      hasFailed = false;
      times.push(`${name} ${((performance.now() - since) / 1000).toFixed(1)} s`);
    });
  };
  const enter = async (): Promise<void> => {
    await page.fill('[name=email]', email);
    await page.fill('[name=password]', password);
    await page.keyboard.press('Enter');
  };
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const goTo = async (view: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view, exact: true }).click();
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
  };

  /** Moves the battle on, which is confirmed. */
  const move = async (name: string): Promise<void> => {
    await press(name);
    await press('Yes');
  };

  step('signs up', async () => {
    await page.goto(`${url}/console/`);
    await press('Sign in');
    await page.getByRole('link', { name: 'Create' }).click();
    await enter();
    const mailed = (): string | undefined =>
      setup.platform.recentLines.flatMap((line) => /\bhttp[^\s"]+sign-up\/confirm\?[^\s"]+/.exec(line) ?? []).at(-1);
    await page.getByRole('heading', { name: 'No mail was sent' }).waitFor();
    await until(() => mailed() !== undefined, { what: 'the mail' });
    await page.goto(mailed() ?? '');
    await press('Confirm my email');
    await enter();
    await page.fill('[name=handle]', 'newcomer');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Continue as @newcomer' }).click();
    await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
  });

  step('makes a lens and executes it', async () => {
    await goTo('Lenses');
    await page.getByRole('link', { name: 'New lens' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Greeting');
    await page.getByLabel('Template').fill('Greet [[Person]] in one friendly sentence, and wish a good day.');
    await press('Create');
    await page.getByLabel('Person').fill('Ada');
    await press('Run');
    await page.getByText('succeeded').waitFor();
    expect(await page.getByLabel('Output').textContent()).toContain('Greet Ada');
  });

  step('builds a workflow with an approval, runs and approves it', async () => {
    await goTo('Workflows');
    await page.getByLabel('Name').fill('Ask before it goes on');
    await press('Create');
    await press('Add node');
    await page.getByRole('button', { name: /^approval/ }).click();
    await page.getByLabel('Question for the approver').fill('May it go on?');
    await press('Add node');
    await page.getByRole('button', { name: /^delay/ }).click();
    await page.getByLabel('Seconds', { exact: true }).fill('1');
    await press('Save version');
    await until(() => page.getByRole('button', { name: 'Save version' }).isDisabled(), { what: 'the saved version' });
    await pressUntil(page, 'Check and estimate', page.getByRole('row', { name: /^2 delay1/ }));
    await press('Run');
    await page.getByText('May it go on?').first().waitFor();
    await press('Approve');
    await page.locator('.facts .status.good').waitFor();
  });

  step('adds a webhook and sees the delivery of a test', async () => {
    await goTo('Webhooks');
    await page.getByLabel('Address (https)').fill('https://receiver.example.com/hook');
    await press('Create');
    await page.getByText('whsec_').waitFor();
    await page.getByRole('link', { name: 'https://receiver.example.com/hook' }).click();
    await page.getByText('Send a test').click();
    await press('Send it');
    await page.locator('summary', { hasText: 'webhook.test' }).waitFor();
  });

  step('holds a battle of two AI lensers', async () => {
    for (const name of ['plain', 'curt']) {
      await goTo('AI lensers');
      await page.getByLabel('Handle').fill(`${name}-writer`);
      await page.getByLabel('Name', { exact: true }).fill(`${name} writer`);
      await press('Create');
      await page.getByRole('heading', { name: `${name} writer` }).waitFor();
    }
    await goTo('Battles');
    await page.getByRole('link', { name: 'New battle' }).click();
    await page.getByLabel('Name', { exact: true }).fill('The sea');
    await page.getByLabel('Task').fill('Describe the sea at night: what does one hear and see of it?');
    await press('Create');
    for (const handle of ['plain-writer', 'curt-writer']) {
      const option = page.locator('option', { hasText: handle });
      await page.locator('select[name=who]').selectOption({ value: (await option.getAttribute('value')) ?? '' });
      await press('Enter');
      await page.getByRole('cell', { name: handle.replace('-', ' ') }).waitFor();
    }
    await move('Open to contenders');
    await move('Start the answers');
    await page.locator('.status', { hasText: 'voting' }).waitFor();
  });

  it('gives its battle to another person for a blind vote, and shows the result', async () => {
    const context = await console.newContext({ viewport: { width: 360, height: 740 } });
    const phone = await context.newPage();
    const [alice] = setup.platform.users;
    await phone.goto(`${url}/console/battles/vote`);
    await phone.getByRole('button', { name: 'Sign in' }).click();
    await phone.fill('[name=email]', alice?.email ?? '');
    await phone.fill('[name=password]', alice?.password ?? '');
    await phone.keyboard.press('Enter');
    await phone.getByText('Describe the sea at night').first().waitFor();
    expect(await phone.locator('main').textContent()).not.toMatch(/plain|curt/);
    await phone.keyboard.press('1');
    await phone.getByText('Your vote is counted.').waitFor();
    await context.close();
    for (const name of ['End the voting', 'Close', 'Publish']) await move(name);
    await page.locator('.status', { hasText: 'winner' }).waitFor();
  });

  it('gives the newcomer their data, and closes the account', async () => {
    await goTo('Account');
    const saved = page.waitForEvent('download');
    await press('Download');
    const text = await readDownload(await saved);
    const types = new Set(
      text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as ExportedObject).type])),
    );
    for (const type of ['account', 'lens', 'workflow', 'run', 'battle', 'ai_lenser', 'webhook_endpoint']) {
      expect([...types]).toContain(type);
    }
    await page.getByLabel('Your handle').fill('alice');
    await press('Close my account');
    await page.getByText('it must be the handle of your account').waitFor();
    await page.getByLabel('Your handle').fill('@newcomer');
    await press('Close my account');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
