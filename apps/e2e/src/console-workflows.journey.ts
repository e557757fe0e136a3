import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings, overflow } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop, phone, pressUntil, readDownload } from './console-browser.js';

interface SavedGraph {
  nodes: { id: string; retry?: unknown; settings: Record<string, unknown> }[];
  edges: { from: string; to: string }[];
}

describeInBrowser(process.env, 'workflows in the console', () => {
  let console: ConsoleBrowser;
  let page: Page;
  let faults: string[];
  let workflowId: string;
  let partsId: string;
  let lensId: string;

  const greet = { id: 'greet', type: 'transform', settings: { expression: '{"text": "Hello " + inputs.name}' } };
  const ask = { id: 'ask', type: 'approval', settings: { message: 'Send the greeting?' } };
  const graph = {
    nodes: [greet, ask],
    edges: [{ from: 'greet', to: 'ask' }],
    inputs: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  };

  const one = { id: 'one', type: 'transform', settings: { expression: 'item' } };
  const text = '"nodes.list has " + string(size(nodes.list.output))';
  const parts = {
    nodes: [
      { id: 'list', type: 'transform', settings: { expression: '["a", "b"]' } },
      { id: 'each', type: 'map', settings: { items: 'nodes.list.output', graph: { nodes: [one], edges: [] } } },
      { id: 'text', type: 'transform', settings: { expression: text } },
    ],
    edges: [
      { from: 'list', to: 'each' },
      { from: 'list', to: 'text' },
    ],
  };

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    workflowId = await console.make('/v1/workflows', { title: 'Greeting', graph });
    partsId = await console.make('/v1/workflows', { title: 'Parts', graph: parts });
    lensId = await console.make('/v1/lenses', {
      title: 'Summariser of letters',
      description: 'A summary of a letter.',
      templateBody: 'Summarise the letter below in three sentences that a child understands.',
    });
    await console.make('/v1/agents', {
      handle: 'strict-critic',
      displayName: 'Strict critic',
      instructions: 'Find faults.',
    });
    ({ page, faults } = await console.signedIn({ ...desktop, permissions: ['clipboard-read', 'clipboard-write'] }));
  });
  afterAll(async () => {
    await console.close();
  });

  const open = async (path: string): Promise<void> => {
    // Each test begins without the drafts of the one before.
    if (page.url().startsWith(console.url)) await page.evaluate('localStorage.clear()');
    await page.goto(`${console.url}/console/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
  };
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const node = (id: string) => page.getByRole('group', { name: new RegExp(`^Node ${id},`) });
  const token = (): string => console.setup.platform.tokens['session'] ?? '';

  /** The newest version of a workflow, once the editor has nothing more to save. */
  const savedGraph = async (id: string) => {
    await page.getByText('Not saved; this browser keeps it').waitFor({ state: 'hidden' });
    const { body } = await console.setup.call('GET', `/v1/workflows/${id}`, { token: token() });
    return (body.data?.['headVersion'] as { graph: SavedGraph }).graph;
  };

  it('asks for an approval, which the inbox shows with a count and answers with a comment', async () => {
    await open(`workflows/${workflowId}`);
    await page.getByLabel('Inputs (JSON)').first().fill('{"name": "Ada"}');
    await press('Run');
    const graphOfRun = page.getByRole('region', { name: 'Graph' });
    await graphOfRun.getByText('waiting').first().waitFor();
    await node('greet').click();
    await page.getByLabel('greet Output').filter({ hasText: 'Hello Ada' }).waitFor();
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

  it('tries a node alone, with the results of the last run or with others, and saves nothing', async () => {
    const before = (await console.setup.call('GET', `/v1/workflows/${workflowId}`, { token: token() })).body.data;
    await open(`workflows/${workflowId}`);
    await press('Add node');
    await page.getByRole('button', { name: /^transform/ }).click();
    await page.getByRole('checkbox', { name: 'greet' }).check();
    await page.getByLabel('Expression', { exact: true }).fill('size(nodes.greet.output.text)');
    await page.getByText('Try this node').click();
    const results = page.getByLabel('Results of the nodes before it (JSON)');
    expect(JSON.parse(await results.inputValue())).toEqual({ greet: { text: 'Hello Ada' } });
    const outcome = page.getByRole('region', { name: 'transform1', exact: true });
    await press('Try');
    await outcome.getByText('9', { exact: true }).waitFor();
    await results.fill('{"greet": {"text": "Hi"}}');
    await press('Try');
    await outcome.getByText('2', { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await results.fill('{"greet": {}}');
    await press('Try');
    await outcome.getByText('failed', { exact: true }).waitFor();
    await press('Use the results of the last run');
    expect(JSON.parse(await results.inputValue())).toEqual({ greet: { text: 'Hello Ada' } });
    const { body } = await console.setup.call('GET', `/v1/workflows/${workflowId}`, { token: token() });
    expect(body.data?.['headVersion']).toEqual(before?.['headVersion']);
  });

  it('shows the messages of the server at the node and the field that they name', async () => {
    await page.getByLabel('Expression', { exact: true }).fill('nodes.missing.output');
    const alert = page.getByRole('alert').filter({ hasText: 'missing' });
    await pressUntil(page, 'Check the graph', alert);
    await page.getByRole('group', { name: /^Node transform1, .*faulty/ }).waitFor();
    await page.locator('.expression').getByText('refers to the node missing').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.locator('.graph .react-flow__pane').click({ position: { x: 5, y: 5 } });
    await alert.getByRole('button', { name: 'transform1' }).click();
    await page.getByLabel('Expression', { exact: true }).fill('inputs.name');
    await pressUntil(page, 'Check the graph', page.getByRole('row', { name: /transform1/ }));
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

  it('gives the whole window to the graph, and back', async () => {
    await open(`workflows/${workflowId}`);
    const width = async (): Promise<number> => (await page.locator('.graph').first().boundingBox())?.width ?? 0;
    const before = await width();
    const fill = page.getByRole('button', { name: 'Fill the window' });
    await fill.click();
    await page.getByRole('heading', { name: 'Labels' }).waitFor({ state: 'hidden' });
    expect(await width()).toBeGreaterThan(before + 100);
    expect(await findings(page)).toEqual([]);
    await fill.click();
    await page.getByRole('heading', { name: 'Labels' }).waitFor();
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
    await page.getByRole('region', { name: 'What was done' }).getByText('Version 2 is saved').waitFor();
    const saved = await savedGraph(workflowId);
    expect(saved.nodes.find(({ id }) => id === 'delay1')?.retry).toMatchObject({ attempts: 4 });
    await press('Compare');
    const changes = page.getByRole('region', { name: 'From version 1 to 2' });
    await changes.getByRole('group', { name: /^Node delay1, .*added/ }).waitFor();
    await changes.getByText('greet → ask · inputs.name != ""').first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('releases a version by its default label, and returns it', async () => {
    const releasedId = await console.make('/v1/workflows', { title: 'Released', graph });
    await open(`workflows/${releasedId}`);
    const place = page.locator('section', { has: page.getByRole('heading', { name: 'Labels' }) });
    const row = place.getByRole('row').filter({ hasText: 'production' }).first();
    const set = async (version: string, reason: string): Promise<void> => {
      await place.getByLabel('Name').fill('production');
      await place.getByLabel('Version', { exact: true }).fill(version);
      await place.getByRole('textbox', { name: 'Reason' }).fill(reason);
      await place.getByRole('button', { name: 'Set label' }).click();
      await row.getByText(version, { exact: true }).waitFor();
    };
    await set('1', 'It is tried.');
    await row.getByRole('button', { name: 'Make default' }).click();
    await place.getByText('Callers that name no version get 1, that of production.').waitFor();
    const sent = { token: token(), body: { nodes: [greet], edges: [] } };
    expect((await console.setup.call('PUT', `/v1/workflows/${releasedId}/graph`, sent)).status).toBe(200);
    await page.reload();
    await set('2', 'It is shorter.');
    await place.getByText('Callers that name no version get 2, that of production.').waitFor();
    await row.getByRole('button', { name: 'Return' }).click();
    await place.getByText('Callers that name no version get 1, that of production.').waitFor();
    await row.getByRole('button', { name: 'Return' }).click();
    await page.getByText('so that there is none to return to').waitFor();
    await place.getByText('History of labels').click();
    const history = place.locator('details').getByRole('row');
    await history.nth(2).waitFor();
    expect(await history.allTextContents()).toEqual([
      expect.stringMatching(/^production2 → 1 returned.*in the console$/),
      expect.stringMatching(/^production1 → 2 It is shorter\./),
      expect.stringMatching(/^production1 It is tried\./),
    ]);
    await row.getByRole('button', { name: 'Serve the newest' }).click();
    await row.getByRole('button', { name: 'Make default' }).waitFor();
    await console.make('/v1/datasets', { name: 'Greetings' });
    await page.reload();
    await place.getByText('Require a gate').first().click();
    await place.getByRole('button', { name: 'Require a gate' }).click();
    await row.getByRole('link', { name: 'needs a passed gate' }).waitFor();
    const choices = row.getByLabel('Version that production moves to').getByRole('option');
    await until(async () => (await choices.allTextContents()).includes('2 · no gate yet'), { what: 'the gate of 2' });
    await place.getByLabel('Name').fill('production');
    await place.getByLabel('Version', { exact: true }).fill('2');
    await place.getByRole('textbox', { name: 'Reason' }).fill('It is urgent.');
    await place.getByRole('button', { name: 'Set label' }).click();
    await place.getByText('production needs a passed gate: no experiment of this version').waitFor();
    await place.getByLabel('Against its rules').check();
    await place.getByRole('button', { name: 'Set label' }).click();
    await row.getByText('2', { exact: true }).waitFor();
    await place.getByText('History of labels').click();
    await history.first().getByText('against its rules').waitFor();
    expect(await findings(page)).toEqual([]);
    await row.getByRole('button', { name: 'Remove the rule' }).click();
    await row.getByRole('link', { name: 'needs a passed gate' }).waitFor({ state: 'hidden' });
    await open(`workflows/${workflowId}`);
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
    await console.setup.db.query(
      `insert into schedule_ticks (schedule_id, tick_at, outcome, reason)
       select id, now() - interval '1 hour', 'skipped', 'it was busy' from schedules where title = 'Mornings'`,
    );
    await open('schedules');
    const row = page.getByRole('row').filter({ hasText: 'Mornings' });
    await row.getByText('it was busy').waitFor();
    await row.getByText('paused', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText(/^in \d/).waitFor();
    await row.getByRole('button', { name: 'Past ticks of Mornings' }).click();
    const ticks = page.getByRole('dialog', { name: 'Past ticks of Mornings' });
    await ticks.getByText('skipped').waitFor();
    expect(await findings(page)).toEqual([]);
    await ticks.getByRole('button', { name: 'Close' }).click();
    await row.getByRole('link', { name: 'Mornings' }).click();
    await renamed.getByRole('button', { name: 'Delete' }).click();
    await press('Yes');
    await renamed.waitFor({ state: 'hidden' });
  });

  it('exports a workflow as a file, imports it, and shows the fault of a wrong file', async () => {
    const downloads = page.waitForEvent('download');
    await press('Export');
    const exported = Buffer.from(await readDownload(await downloads));
    await open('workflows');
    const chooser = page.getByLabel('Exported file (JSON)');
    await chooser.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"title": ') });
    await press('Import a workflow');
    await page.getByRole('alert').filter({ hasText: 'This is not JSON' }).waitFor();
    await chooser.setInputFiles({ name: 'workflow.json', mimeType: 'application/json', buffer: exported });
    await press('Import a workflow');
    await page.getByRole('heading', { name: 'Greeting', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).not.toContain(workflowId);
    await until(async () => (await page.locator('.graph-node').count()) === 3, { what: 'the nodes' });
  });

  it('renames a node by keyboard: its edges and the expressions that name it follow, in one step', async () => {
    await open(`workflows/${partsId}`);
    await press('list');
    const id = page.getByLabel('Id (in expressions)');
    await id.fill('each');
    await page.getByText('each is the id of another node.').waitFor();
    expect(await findings(page)).toEqual([]);
    await id.press('Enter');
    await page.getByRole('heading', { name: /^list/ }).waitFor();
    await id.press('Escape');
    expect(await id.inputValue()).toBe('list');
    await id.fill('the-list');
    await id.press('Enter');
    await page.getByRole('heading', { name: /^the-list/ }).waitFor();
    await node('the-list').waitFor();
    expect(await id.and(page.locator(':focus')).count()).toBe(1);
    await press('Undo');
    await page.getByRole('heading', { name: /^list/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
    await press('Redo');
    await page.getByRole('heading', { name: /^the-list/ }).waitFor();
    await press('Save version');
    const { nodes, edges } = await savedGraph(partsId);
    expect(nodes.map(({ id }) => id)).toEqual(['the-list', 'each', 'text']);
    expect(nodes[1]?.settings['items']).toBe('nodes["the-list"].output');
    expect(nodes[2]?.settings['expression']).toBe('"nodes.list has " + string(size(nodes["the-list"].output))');
    expect(edges.map(({ from }) => from)).toEqual(['the-list', 'the-list']);
  });

  it('picks a lens, its version, a model and a workflow by name, and takes a pasted id', async () => {
    const pick = (name: string) => page.getByRole('combobox', { name, exact: true });
    await open(`workflows/${partsId}`);
    await press('Add node');
    await page.getByRole('button', { name: /^lens/ }).click();
    await pick('Lens').pressSequentially('summar');
    await page.getByRole('option', { name: /^Summariser of letters/ }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /found$/ })
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await pick('Lens').press('Enter');
    expect(await pick('Lens').inputValue()).toBe('Summariser of letters');
    await page.getByRole('link', { name: 'Open Summariser of letters' }).waitFor();
    await pick('Version or label').press('ArrowDown');
    await page.getByRole('option', { name: /^1\.0\.0/ }).waitFor();
    await pick('Version or label').press('ArrowDown');
    await pick('Version or label').press('Enter');
    expect(await pick('Version or label').inputValue()).toBe('1.0.0');
    await pick('Model').pressSequentially('offline');
    await page
      .getByRole('option', { name: /offline/ })
      .first()
      .click();
    await page.getByText(/^offline\//).waitFor();

    const goneId = '00000000-0000-4000-8000-000000000000';
    await pick('Lens').fill(goneId);
    await pick('Lens').press('Tab');
    await page.getByText(`${goneId} does not exist any more, or you may not see it.`).waitFor();
    expect(await pick('Lens').getAttribute('aria-invalid')).toBe('true');
    expect(await findings(page)).toEqual([]);
    await pick('Lens').fill(lensId);
    await pick('Lens').press('Enter');
    await until(async () => (await pick('Lens').inputValue()) === 'Summariser of letters', { what: 'the name' });

    await press('Add node');
    await page.getByRole('button', { name: /^workflow/ }).click();
    await pick('Workflow').fill('gree');
    // The older one: the newer one was imported.
    await page
      .getByRole('option', { name: /^Greeting/ })
      .last()
      .click();
    await pick('Version of the workflow').click();
    await page.getByRole('listbox', { name: 'Version of the workflow' }).getByRole('option', { name: /^1/ }).click();
    await press('Save version');
    const { nodes } = await savedGraph(partsId);
    expect(nodes.slice(3).map(({ settings }) => settings)).toMatchObject([
      { lensId, version: '1.0.0', model: expect.stringMatching(/^offline\//) },
      { workflowId, version: 1 },
    ]);

    await press('Add node');
    await page.getByRole('button', { name: /^vote/ }).click();
    await pick('Add an AI lenser').fill('critic');
    await page.getByRole('option', { name: /^Strict critic/ }).click();
    await page.getByRole('listitem').filter({ hasText: 'Strict critic @strict-critic' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await press('Take Strict critic out');
    await page.getByRole('listitem').filter({ hasText: 'Strict critic' }).waitFor({ state: 'hidden' });
  });

  it('opens the graph of a map, edits it there, and shows the messages of the server within it', async () => {
    await open(`workflows/${partsId}`);
    await press('each');
    await page.getByRole('button', { name: 'Open its graph (1 node)' }).press('Enter');
    const editor = page.getByRole('region', { name: 'Graph editor of each' });
    await editor.waitFor();
    expect(await editor.and(page.locator(':focus')).count()).toBe(1);
    await press('one');
    await press('Add node');
    await page.getByRole('button', { name: /^transform/ }).click();
    const expression = page.getByLabel('Expression', { exact: true });
    await expression.fill('');
    await expression.pressSequentially('ite');
    await page.getByRole('option', { name: /^item/ }).waitFor();
    await expression.fill('nodes.missing.output');
    expect(await findings(page)).toEqual([]);
    const issue = page.getByRole('button', { name: 'each › transform1' });
    await pressUntil(page, 'Check the graph', issue);
    await page.locator('.expression').getByText('refers to the node missing').waitFor();

    await page.getByRole('navigation', { name: 'Open graph' }).getByRole('button', { name: 'Workflow' }).press('Enter');
    await page.getByRole('group', { name: /^Node each, map, faulty/ }).waitFor();
    await page.getByRole('heading', { name: /^each/ }).waitFor();
    await issue.click();
    await page.getByRole('heading', { name: /^transform1/ }).waitFor();
    await node('transform1').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    await node('transform1').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+z');
    await node('transform1').waitFor();
    await expression.fill('nodes.one.output');
    await press('Save version');
    const { nodes } = await savedGraph(partsId);
    expect(nodes[1]?.settings['graph']).toMatchObject({
      nodes: [{ id: 'one' }, { id: 'transform1', settings: { expression: 'nodes.one.output' } }],
      edges: [{ from: 'one', to: 'transform1' }],
    });
  });

  it('has a field for each parameter of the lens of a node: for a value, an expression or what an edge passes on', async () => {
    const answering = await console.make('/v1/lenses', {
      title: 'Answers to letters',
      templateBody: 'Answer the letter [[Letter]] in one short sentence and in this tone: [[Tone!]].',
      settings: { params: [{ label: 'Tone', type: 'text', description: 'Such as warm or formal' }] },
    });
    const read = { id: 'read', type: 'transform', settings: { expression: '"Dear team"' } };
    const reply = { id: 'reply', type: 'lens', settings: { lensId: answering, params: { Letter: 'Hello' } } };
    const edges = [{ from: 'read', to: 'reply' }];
    const id = await console.make('/v1/workflows', { title: 'Replies', graph: { nodes: [read, reply], edges } });
    await open(`workflows/${id}`);
    await press('reply');
    const values = page.getByRole('group', { name: 'Parameters of the lens' });
    const field = (name: string) => values.getByRole('textbox', { name, exact: true });
    await values.getByText('Such as warm or formal').waitFor();
    expect(await field('Letter').inputValue()).toBe('Hello');
    await field('Tone').fill('warm');
    await values.getByRole('button', { name: 'Use an expression Letter' }).click();
    await values.getByLabel('Letter (an expression)').fill('nodes.read.output');
    expect(await findings(page)).toEqual([]);
    await press('Save version');
    const saved = await savedGraph(id);
    expect(saved.nodes[1]?.settings['params']).toEqual({ Letter: { $: 'nodes.read.output' }, Tone: 'warm' });

    await press('read → reply');
    await page.getByLabel('Passed on under this name').fill('Letter');
    await node('reply').click();
    await values.getByText('from the edge of read').waitFor();
    await page.getByText('Settings (JSON)').click();
    await page
      .getByRole('textbox', { name: 'Settings (JSON)' })
      .fill(JSON.stringify({ lensId: answering, params: { Mood: 'good' } }));
    await values.getByText('The lens has no parameter Mood.').waitFor();
    await field('Mood').fill('');
    await values.getByText('The lens has no parameter Mood.').waitFor({ state: 'hidden' });
  });

  it('puts a node onto an edge by its +, and by keyboard in the form of the edge', async () => {
    await open(`workflows/${partsId}`);
    await page.getByRole('button', { name: 'Insert a node between the-list and each' }).click();
    await page.getByRole('button', { name: /^delay/ }).click();
    await page.getByRole('heading', { name: /^delay1/ }).waitFor();
    await press('delay1 → each');
    await page.getByRole('button', { name: 'Insert a node', exact: true }).press('Enter');
    await page.getByRole('button', { name: /^approval/ }).press('Enter');
    await page.getByRole('heading', { name: /^approval1/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await press('Undo');
    await press('Redo');
    await press('Save version');
    const { edges } = await savedGraph(partsId);
    expect(edges.filter(({ to }) => ['delay1', 'approval1', 'each'].includes(to))).toEqual([
      { from: 'the-list', to: 'delay1' },
      { from: 'delay1', to: 'approval1' },
      { from: 'approval1', to: 'each' },
    ]);
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
    await open(`workflows/${partsId}`);
    await press('lens1');
    await page.getByRole('combobox', { name: 'Lens', exact: true }).click();
    await page.getByRole('listbox', { name: 'Lens' }).getByRole('option').first().waitFor();
    expect([await overflow(page), await findings(page)]).toEqual([0, []]);
    await page.keyboard.press('Escape');
    await node('each').click();
    await page.getByRole('button', { name: /^Open its graph/ }).click();
    await page.getByRole('navigation', { name: 'Open graph' }).waitFor();
    expect([await overflow(page), await findings(page)]).toEqual([0, []]);
    // The browser reports the refused checks and the refused return, and the lens that does not exist.
    expect(faults.filter((fault) => !/status of (400|404|409|503)/.test(fault))).toEqual([]);
  });
});
