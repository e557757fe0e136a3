import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings, overflow } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop, phone } from './console-browser.js';

jest.setTimeout(180_000);

describeInBrowser(process.env, 'workflows in the console', () => {
  let console: ConsoleBrowser;
  let page: Page;
  let faults: string[];
  let workflowId: string;

  const greet = { id: 'greet', type: 'transform', settings: { expression: '{"text": "Hello " + inputs.name}' } };
  const ask = { id: 'ask', type: 'approval', settings: { message: 'Send the greeting?' } };
  const graph = {
    nodes: [greet, ask],
    edges: [{ from: 'greet', to: 'ask' }],
    inputs: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  };

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    workflowId = await console.make('/v1/workflows', { title: 'Greeting', graph });
    ({ page, faults } = await console.signedIn({ ...desktop, permissions: ['clipboard-read', 'clipboard-write'] }));
  });
  afterAll(async () => {
    await console.close();
  });

  const open = async (path: string): Promise<void> => {
    await page.goto(`${console.url}/console/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
  };
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const node = (id: string) => page.getByRole('group', { name: new RegExp(`^Node ${id},`) });
  const token = (): string => console.setup.platform.tokens['session'] ?? '';

  it('asks for an approval, which the inbox shows with a count and answers with a comment', async () => {
    await open(`workflows/${workflowId}`);
    await page.getByLabel('Inputs (JSON)').first().fill('{"name": "Ada"}');
    await press('Run');
    const graphOfRun = page.getByRole('region', { name: 'Graph' });
    await graphOfRun.getByText('waiting').first().waitFor();
    await node('greet').click();
    await page.getByLabel('Output greet').filter({ hasText: 'Hello Ada' }).waitFor();
    const runId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await open('approvals');
    await page.getByRole('img', { name: '1 waiting' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('Comment').fill('Looks good');
    await press('Approve');
    await page.getByText('Nothing waits for you').waitFor();
    const { body } = await console.setup.call('GET', `/v1/runs/${runId}/approvals`, { token: token() });
    expect(body.data).toMatchObject([{ status: 'approved', comment: 'Looks good' }]);
    await until(async () => (await console.setup.statusOf(runId)) === 'succeeded', { what: 'the end of the run' });
  });

  it('completes an expression by keyboard and shows its value in the last run', async () => {
    await open(`workflows/${workflowId}`);
    await press('Add node');
    await page.getByRole('button', { name: /^transform/ }).click();
    await page.getByRole('checkbox', { name: 'greet' }).check();
    const field = page.getByLabel('Expression', { exact: true });
    await field.fill('');
    await field.pressSequentially('size(nodes.greet.output.t');
    await page.getByRole('option', { name: /nodes\.greet\.output\.text/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await field.press('Enter');
    await field.pressSequentially(')');
    expect(await field.inputValue()).toBe('size(nodes.greet.output.text)');
    await page.getByText('In the last run: 9').waitFor();
  });

  it('shows the messages of the server at the node and the field that they name', async () => {
    await page.getByLabel('Expression', { exact: true }).fill('nodes.nobody.output');
    await press('Check the graph');
    const alert = page.getByRole('alert').filter({ hasText: 'nobody' });
    await alert.waitFor();
    await page.getByRole('group', { name: /^Node transform1, .*faulty/ }).waitFor();
    await page.locator('.expression').getByText('refers to the node nobody').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.locator('.graph .react-flow__pane').click({ position: { x: 5, y: 5 } });
    await alert.getByRole('button', { name: 'transform1' }).click();
    await page.getByLabel('Expression', { exact: true }).fill('inputs.name');
    // The sandbox of a busy machine may refuse a check, which a person then repeats.
    const forecast = page.getByRole('row', { name: /transform1/ });
    const checked = async (): Promise<boolean> => {
      await press('Check the graph');
      await page.getByRole('button', { name: 'Check the graph', disabled: false }).waitFor();
      return forecast.isVisible();
    };
    await until(checked, { every: 500, what: 'the forecast' });
    await alert.waitFor({ state: 'hidden' });
  });

  it('undoes, redoes, copies, duplicates and deletes by keys', async () => {
    const count = (): Promise<number> => page.locator('.graph-node').count();
    await open(`workflows/${workflowId}`);
    await node('greet').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^greet/ }).waitFor();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await node('greet1').waitFor();
    await page.keyboard.press('Control+d');
    await node('greet2').waitFor();
    await page.keyboard.press('Delete');
    await node('greet2').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await count()).toBe(2);
    await page.keyboard.press('Control+Shift+z');
    await node('greet1').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('lensforge.nodes');
  });

  it('changes the condition of an edge, saves, and compares the versions on one graph', async () => {
    await open(`workflows/${workflowId}`);
    await press('ask');
    await press('greet → ask');
    await page.getByLabel(/^Condition/).fill('inputs.name != ""');
    await press('Add node');
    await page.getByRole('button', { name: /^delay/ }).click();
    await page.getByText('Failures and limits').click();
    await page.getByLabel('Attempts in all').fill('4');
    await press('Save version');
    await until(() => page.getByRole('button', { name: 'Save version' }).isDisabled(), { what: 'the saved version' });
    await press('Compare');
    const changes = page.getByRole('region', { name: 'From version 1 to 2' });
    await changes.getByRole('group', { name: /^Node delay1, .*added/ }).waitFor();
    await changes.getByText('greet → ask · inputs.name != ""').first().waitFor();
    expect(await findings(page)).toEqual([]);
    const { body } = await console.setup.call('GET', `/v1/workflows/${workflowId}`, { token: token() });
    const saved = (body.data?.['headVersion'] as { graph: { nodes: { id: string; retry?: unknown }[] } }).graph;
    expect(saved.nodes.find(({ id }) => id === 'delay1')?.retry).toMatchObject({ attempts: 4 });
  });

  it('creates, edits, pauses and deletes a schedule', async () => {
    await page.getByText('New schedule').click();
    await page.getByLabel('Times (cron)').fill('0 7 * * 1-5');
    await page.getByLabel('Inputs (JSON)').nth(1).fill('{"name": "Ada"}');
    await press('Create');
    const schedule = page.getByRole('article', { name: '0 7 * * 1-5' });
    await schedule.getByText('Next:').waitFor();
    await schedule.getByRole('button', { name: 'Edit' }).click();
    await schedule.getByRole('textbox', { name: 'Name' }).fill('Mornings');
    await schedule.getByLabel('Times (cron)').fill('30 6 * * *');
    await schedule.getByRole('button', { name: 'Save' }).click();
    const renamed = page.getByRole('article', { name: 'Mornings' });
    await renamed.getByText('30 6 * * *').waitFor();
    await renamed.getByRole('button', { name: 'Pause' }).click();
    await renamed.getByText('paused', { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await renamed.getByRole('button', { name: 'Delete' }).click();
    await press('Yes');
    await renamed.waitFor({ state: 'hidden' });
  });

  it('exports a workflow as a file, imports it, and shows the fault of a wrong file', async () => {
    const downloads = page.waitForEvent('download');
    await press('Export');
    const file = await (await downloads).path();
    await open('workflows');
    const chooser = page.getByLabel('Exported file (JSON)');
    await chooser.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"title": ') });
    await press('Import a workflow');
    await page.getByRole('alert').filter({ hasText: 'This is not JSON' }).waitFor();
    await chooser.setInputFiles(file);
    await press('Import a workflow');
    await page.getByRole('heading', { name: 'Greeting', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).not.toContain(workflowId);
    await until(async () => (await page.locator('.graph-node').count()) === 3, { what: 'the nodes' });
  });

  it('keeps to a narrow window in the dark', async () => {
    await page.setViewportSize(phone.viewport);
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(`workflows/${workflowId}`);
    await press('Add node');
    expect([await overflow(page), await findings(page)]).toEqual([0, []]);
    await page.keyboard.press('Escape');
    await press('greet');
    await press('Compare');
    await page.getByRole('region', { name: 'From version 1 to 2' }).waitFor();
    expect([await overflow(page), await findings(page)]).toEqual([0, []]);
    // The browser reports the refused checks of the third test.
    expect(faults.filter((fault) => !/status of (400|503)/.test(fault))).toEqual([]);
  });
});
