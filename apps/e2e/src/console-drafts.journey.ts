import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { findings } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser } from './console-browser.js';

describeInBrowser(process.env, 'unsaved work in the console', () => {
  let console: ConsoleBrowser;
  let page: Page;
  let workflowId: string;
  let lensId: string;
  const templateBody = 'Tell about [[Topic]] in one plain sentence that anyone can read.';

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    const first = { id: 'first', type: 'transform', settings: { expression: "'one'" } };
    workflowId = await console.make('/v1/workflows', { title: 'Steps', graph: { nodes: [first], edges: [] } });
    lensId = await console.make('/v1/lenses', { title: 'Sentences', templateBody });
    ({ page } = await console.signedIn());
  });
  afterAll(async () => {
    await console.close();
  });

  const open = async (path: string): Promise<void> => {
    await page.evaluate('localStorage.clear()');
    await page.goto(`${console.url}/console/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).first().click();
  const nodes = (): Locator => page.locator('.graph-node');
  const countsNodes = (count: number) =>
    until(async () => (await nodes().count()) === count, { what: `${count} nodes` });
  const addNode = async (): Promise<void> => {
    await press('Add node');
    await page.getByRole('button', { name: /^transform(?!\d)/ }).click();
  };
  const unsaved = (): Locator => page.getByText('Not saved; ');
  const inAccount = 'Not saved; your account keeps the draft';
  const aLens = (title: string): Promise<string> => console.make('/v1/lenses', { title, templateBody });
  const template = (): Locator => page.getByLabel('Template', { exact: true });

  it('a changed workflow runs as it stands, and is there afterwards', async () => {
    await open(`workflows/${workflowId}`);
    await addNode();
    await page.getByLabel('Expression', { exact: true }).fill("'changed'");
    await press('Run without saving');
    await page.locator('.facts .status.good').waitFor();
    await page.getByText('changed').first().waitFor();
    await page.goBack();
    await countsNodes(2);
    await unsaved().waitFor();
    await press('Save version');
    await unsaved().waitFor({ state: 'hidden' });
  });

  it('a changed workflow is kept over other views and reloads, until it is discarded', async () => {
    await open(`workflows/${workflowId}`);
    await addNode();
    await countsNodes(3);
    await follow('Lenses');
    await page.getByRole('heading', { name: 'Lenses', level: 1 }).waitFor();
    await page.goBack();
    await countsNodes(3);
    await unsaved().waitFor();
    await page.reload();
    await countsNodes(3);
    await unsaved().waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await press('Discard changes');
    await countsNodes(2);
    const isForgotten = async (): Promise<boolean> =>
      !(await page.evaluate<string>('Object.keys(localStorage).join()')).includes('draft');
    await until(isForgotten, { what: 'the draft to be forgotten' });
  });

  it('added nodes stay in view', async () => {
    await open(`workflows/${workflowId}`);
    for (let count = 0; count < 8; count += 1) await addNode();
    await countsNodes(10);
    const isInView = async (): Promise<boolean> => {
      const canvas = await page.locator('.graph').first().boundingBox();
      const boxes = await Promise.all((await nodes().all()).map((node) => node.boundingBox()));
      return boxes.every((box) => box && canvas && box.x >= canvas.x && box.x + box.width <= canvas.x + canvas.width);
    };
    await until(isInView, { what: 'all nodes in view' });
  });

  it('a changed lens is kept, and tried before it is saved', async () => {
    await open(`lenses/${lensId}`);
    await template().fill('Praise [[Place]] with the word splendid.');
    await page.getByText('The template needs at least 50 characters').waitFor();
    await follow('Workflows');
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('Praise').first().waitFor();
    await unsaved().waitFor();
    expect(await page.locator('option', { hasText: 'Draft, not saved' }).count()).toBe(1);
    await page.getByLabel('Place', { exact: true }).fill('the harbour');
    await press('Run');
    await page.getByText('Praise the harbour with the word splendid').first().waitFor();
    const { body } = await console.setup.call('GET', `/v1/lenses/${lensId}/versions`, {
      token: console.setup.platform.tokens['session'] ?? '',
    });
    expect(body.data).toHaveLength(1);
    expect(await findings(page)).toEqual([]);
  });

  it('keeps what is typed while a lens is being saved', async () => {
    const lensId = await aLens('Saved slowly');
    await open(`lenses/${lensId}`);
    await template().fill(`${templateBody} One.`);
    let answer = (): void => undefined;
    const isTyped = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/v1/lenses/*', async (route) => {
      if (route.request().method() === 'PATCH') await isTyped;
      await route.continue();
    });
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await press('Save');
    await template().press('End');
    await page.keyboard.type(' Two.');
    answer();
    expect((await saved).status()).toBe(200);
    await unsaved().waitFor();
    await page.getByText('One. Two.').first().waitFor();
    await page.unroute('**/v1/lenses/*');
    await press('Save');
    await unsaved().waitFor({ state: 'hidden' });
    const { body } = await console.setup.call('GET', `/v1/lenses/${lensId}`, {
      token: console.setup.platform.tokens['session'] ?? '',
    });
    expect(body.data?.['templateBody']).toBe(`${templateBody} One. Two.`);
  });

  it('keeps the draft of a lens in the account, for other browsers, until it is saved or discarded', async () => {
    const path = `${console.url}/console/lenses/${await aLens('Two browsers')}`;
    const { page: other, context } = await console.signedIn();
    const textOf = async (where: Page, text: string): Promise<void> => {
      await where.locator('.code-editor').getByText(text).first().waitFor();
      await where.getByText(inAccount).waitFor();
    };
    await page.goto(path);
    await template().fill(`${templateBody} One.`);
    await textOf(page, 'One.');
    await other.goto(path);
    await textOf(other, 'One.');
    // Both go on, one of them without a connection.
    await context.setOffline(true);
    await other.getByLabel('Template', { exact: true }).fill(`${templateBody} Two.`);
    await other.getByText('Not saved; this browser keeps it').waitFor();
    await template().fill(`${templateBody} Three.`);
    await page.getByText('Not saved; this browser keeps it').waitFor();
    await textOf(page, 'Three.');
    await context.setOffline(false);
    await other.reload();
    await other.getByText('Another browser has kept another draft').waitFor();
    await other.locator('.code-editor').getByText('Two.').first().waitFor();
    await other.getByText('Text of that draft').click();
    await other.getByText('Three.').waitFor();
    expect(await findings(other)).toEqual([]);
    await other.getByRole('button', { name: 'Keep this one' }).click();
    await textOf(other, 'Two.');
    await page.reload();
    await textOf(page, 'Two.');
    await template().fill(`${templateBody} Four.`);
    // What was typed just before the view was left is there, too.
    await follow('Workflows');
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    await page.goBack();
    await textOf(page, 'Four.');
    await other.reload();
    await textOf(other, 'Four.');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('Saved as version').waitFor();
    await page.reload();
    await template().waitFor();
    await unsaved().waitFor({ state: 'hidden' });
    await page.locator('.code-editor').getByText('Four.').first().waitFor();
    // Nothing is lost by a sign-out, so it does not ask.
    await other.getByLabel('Template', { exact: true }).fill(`${templateBody} Five.`);
    await textOf(other, 'Five.');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await textOf(page, 'Five.');
    await context.close();
  });

  it('says what a template has that is no parameter', async () => {
    await open(`lenses/${await aLens('Odd signs')}`);
    await template().fill(`${templateBody} [[ and {{name}}`);
    await page.getByText('There is a [[ that does not begin a parameter').waitFor();
    await page.getByText('{{name}} stays as it is').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('searches once for a word that is typed', async () => {
    await open('runs');
    const searches: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/lenses?q=')) searches.push(request.url());
    });
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Go to a view or an object' });
    await field.pressSequentially('sentences', { delay: 30 });
    await page.getByRole('option', { name: 'Lens: Sentences' }).waitFor();
    expect(searches.length).toBeLessThanOrEqual(2);
    await page.keyboard.press('Escape');
  });

  it('asks before a sign-out discards drafts, covers the other tabs, and shows nothing private afterwards', async () => {
    await open(`lenses/${lensId}`);
    await page.route('**/draft', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await template().fill(`${templateBody} Be kind.`);
    await unsaved().waitFor();
    const other = await console.openPage(page.context(), []);
    await other.goto(`${console.url}/console/lenses`);
    await other.getByRole('link', { name: 'Sentences', exact: true }).waitFor();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await press('Sign out');
    await unsaved().waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await press('Sign out');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const stored = await page.evaluate<string[]>('Object.keys(localStorage)');
    expect(stored.filter((key) => key.includes('draft'))).toEqual([]);
    await other.getByRole('alertdialog').getByText('Your session has ended').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Sentences').count()).toBe(0);
  });
});
