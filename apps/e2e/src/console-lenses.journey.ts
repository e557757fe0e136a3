import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import { findings, overflow } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop, phone } from './console-browser.js';

const filler = Array.from({ length: 12 }, (_, at) => `Rule ${at + 1} of the house style stays as it is.`);
const template = (first: string): string => [first, ...filler].join('\n');

describeInBrowser(process.env, 'lenses in the console', () => {
  let console: ConsoleBrowser;
  let lensId: string;
  /** One sign-in for the tests that do not depend on the window. */
  let wide: Awaited<ReturnType<ConsoleBrowser['signedIn']>>;

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    lensId = await console.make('/v1/lenses', {
      title: 'House style',
      templateBody: template('Write about [[Topic]].'),
      status: 'draft',
      tags: ['style'],
    });
    wide = await console.signedIn();
  });
  afterAll(async () => {
    await console.close();
  });

  const api = async (method: string, path: string, body?: Record<string, unknown>) => {
    const token = console.setup.platform.tokens['session'] ?? '';
    const answer = await console.setup.call(method, path, { token, ...(body && { body }) });
    return answer.body.data ?? {};
  };

  it('sets what a lens decides about calls of models, and shows it in the difference', async () => {
    const { page, faults } = wide;
    const id = await console.make('/v1/lenses', {
      title: 'Verdicts',
      templateBody: 'Decide whether this request is polite: [[Request]]',
      settings: { sampling: { seed: 7 } },
    });
    await page.goto(`${console.url}/console/lenses/${id}`);
    await page.getByText('Also set: {"seed":7}').waitFor();
    await page.getByLabel('Models in order, separated by commas').fill('offline/echo');
    await page.getByLabel('Temperature').fill('0.5');
    const schema = page.getByLabel('JSON Schema of the answer');
    await schema.fill('{"type":');
    await page.getByText('This is no JSON object.').waitFor();
    await schema.fill('{"type":"object","properties":{"ok":{"type":"boolean"}}}');
    await page.getByLabel('the model').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved as version 2.0.0').waitFor();
    expect(await api('GET', `/v1/lenses/${id}`)).toMatchObject({
      settings: {
        models: ['offline/echo'],
        sampling: { seed: 7, temperature: 0.5 },
        outputSchema: { properties: { ok: { type: 'boolean' } } },
        mayOverride: ['model'],
      },
    });
    await page.getByRole('button', { name: 'Compare' }).click();
    const changed = page.getByRole('list', { name: 'Changed settings' });
    await changed.getByText('sampling.temperature: null → 0.5').waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.locator('.lens-semver', { hasText: '3.0.0' }).waitFor();
    expect(await api('GET', `/v1/lenses/${id}`)).toMatchObject({ settings: { sampling: { seed: 7 } } });
    expect(faults).toEqual([]);
  });

  it('has a field for each type of parameter', async () => {
    const { page, faults } = wide;
    const id = await console.make('/v1/lenses', {
      title: 'Typed',
      templateBody: 'Write [[Count]] short lines about the sea in the tone [[Tone]], for [[Items]].',
      settings: {
        params: [
          { label: 'Count', type: 'number', min: 1, max: 9, description: 'How many' },
          { label: 'Tone', type: 'enum', values: ['warm', 'plain'], default: 'plain' },
          { label: 'Items', type: 'list', example: ['a', 'b'] },
        ],
      },
    });
    await page.goto(`${console.url}/console/lenses/${id}`);
    const count = page.getByRole('spinbutton', { name: 'Count How many' });
    await count.fill('99');
    await page.getByLabel('Items', { exact: true }).fill('["sailors"]');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('input[type=number]:invalid').waitFor();
    await count.fill('2');
    await page
      .getByRole('combobox', { name: 'Tone' })
      .getByText('Without a value: plain')
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Write 2 short lines about the sea in the tone plain, for ["sailors"].').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('changes the settings of a lens, publishes, archives, restores and forks it', async () => {
    const { page, faults } = wide;
    await page.goto(`${console.url}/console/lenses/${lensId}`);
    await page.getByText('Settings', { exact: true }).click();
    await page.getByLabel('Title').fill('House rules');
    await page.getByLabel('Tags, separated by commas').fill('style, mail');
    await page.getByLabel('Visibility').selectOption('community');
    await page.locator('details').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'House rules' }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.locator('.status', { hasText: /^published$/ }).waitFor();
    expect(await api('GET', `/v1/lenses/${lensId}`)).toMatchObject({
      title: 'House rules',
      tags: ['mail', 'style'],
      visibility: 'community',
      status: 'published',
      headVersion: { semver: '1.0.0' },
    });
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.locator('.status', { hasText: /^archived$/ }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.locator('.status', { hasText: /^published$/ }).waitFor();
    await page.getByRole('button', { name: 'Fork' }).click();
    await page.getByRole('heading', { level: 1, name: 'Fork of House rules' }).waitFor();
    await page.getByRole('link', { name: 'Forked from' }).click();
    await page.getByRole('heading', { level: 1, name: 'House rules', exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('filters the library by chips, selects and the address', async () => {
    const { page, faults } = wide;
    await page.goto(`${console.url}/console/lenses?mine=true`);
    await page.getByRole('link', { name: 'House rules', exact: true }).waitFor();
    await page.getByRole('button', { name: 'mail', exact: true }).first().click();
    await page.waitForURL('**/lenses?mine=true&tag=mail');
    await page.getByLabel('Visibility').selectOption('private');
    await page.getByRole('link', { name: 'House rules', exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Fork of House rules' }).waitFor();
    await page.getByLabel('Visibility').selectOption('community');
    await page.getByRole('link', { name: 'House rules', exact: true }).waitFor();
    await page.getByRole('button', { name: 'archived', exact: true }).click();
    await page.getByText('No lenses match').waitFor();
    await page.getByRole('button', { name: 'published', exact: true }).click();
    await page.getByRole('link', { name: 'House rules', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'House rules', exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(faults).toEqual([]);
  });

  it('compares two versions, and makes an older one the newest', async () => {
    await api('PATCH', `/v1/lenses/${lensId}`, { templateBody: template('Write a letter about [[Topic]].') });
    await api('PATCH', `/v1/lenses/${lensId}`, { templateBody: template('Write to [[Reader]] about [[Topic]].') });
    const { page, faults } = wide;
    await page.goto(`${console.url}/console/lenses/${lensId}`);
    await page.getByRole('row').filter({ hasText: '1.0.0' }).getByRole('button', { name: 'Compare' }).click();
    await page.getByText('1 line added, 1 line removed.').waitFor();
    await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('1.0.1');
    await page.getByText('The parameters are the same: a patch.').waitFor();
    expect((await page.locator('.diff ins').textContent())?.trim()).toBe('a letter');
    expect(await page.locator('.diff del').count()).toBe(0);
    expect(await page.locator('.diff-line.added').textContent()).toContain('Write a letter about [[Topic]].');
    expect(await page.locator('.diff-line.removed').textContent()).toContain('Write about [[Topic]].');
    expect(await page.locator('.diff').textContent()).not.toContain('Rule 12');
    await page.getByRole('button', { name: 'Show 9 equal lines' }).click();
    expect(await page.locator('.diff').textContent()).toContain('Rule 12');
    await page.getByRole('row').filter({ hasText: '1.0.0' }).getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText('Restores the text of 1.0.0.').waitFor();
    expect(await api('GET', `/v1/lenses/${lensId}`)).toMatchObject({
      templateBody: template('Write about [[Topic]].'),
      headVersion: { semver: '3.0.0' },
    });
    expect(faults).toEqual([]);
  });

  it('tries two versions side by side, and saves the fields and an answer as a case', async () => {
    const { page, faults } = wide;
    await page.goto(`${console.url}/console/lenses/${lensId}`);
    await page.getByRole('button', { name: 'Add a column' }).click();
    const second = page.getByRole('group', { name: 'Column 2' });
    await second.getByLabel('Version').selectOption('2.0.0');
    await second.getByText(/^About \d+ tokens for /).waitFor();
    const before = await second.getByText(/^About \d+ tokens for /).textContent();
    await page.getByLabel('Topic').fill('the sea');
    await page.getByLabel('Reader').fill('a sailor who has not seen the sea for many years');
    expect(await second.getByText(/^About \d+ tokens for /).textContent()).not.toBe(before);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await until(async () => (await page.locator('.status', { hasText: /^succeeded$/ }).count()) === 2);
    const figures = page.locator('dl', { hasText: 'First text after' });
    await until(async () => (await figures.count()) === 2);
    for (const text of await figures.allTextContents())
      expect(text).toMatch(/^Took\d.* m?sFirst text after\d.* m?sTokens\d+ → \d+Credits\d/);
    const answers = await page.locator('pre').allTextContents();
    expect([answers.length, answers[0] === answers[1]]).toEqual([2, false]);

    await page.getByText('Save as a case').click();
    await page.getByLabel('Name of the case').fill('A sailor');
    await page.getByLabel('Answer to compare with').selectOption('Column 2');
    await page.locator('details', { hasText: 'Save as a case' }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Answer to compare with' }).waitFor();
    await page.reload();
    await page.getByLabel('Saved case').selectOption('A sailor');
    await page.getByRole('heading', { name: 'Answer to compare with' }).waitFor();
    expect(await page.getByLabel('Topic').inputValue()).toBe('the sea');
    await page.getByRole('button', { name: 'Delete A sailor' }).click();
    await page.getByText('None saved').waitFor({ state: 'attached' });
    expect(faults).toEqual([]);
  });

  it('moves and protects labels, which a token of a program cannot move then', async () => {
    const { page, faults } = wide;
    await page.goto(`${console.url}/console/lenses/${lensId}`);
    const place = page.locator('section', { has: page.getByRole('heading', { name: 'Labels' }) });
    await place.getByLabel('Name').fill('production');
    await place.getByLabel('Version', { exact: true }).fill('1.0.1');
    await place.getByRole('button', { name: 'Set label' }).click();
    const row = place.getByRole('row').filter({ hasText: 'production' }).first();
    await row.getByRole('button', { name: 'Protect' }).click();
    await row.getByText('protected').waitFor();
    // The browser asks for a version first.
    await row.getByRole('button', { name: 'Move', exact: true }).click();
    await row.getByLabel('Version that production moves to').selectOption('1.0.0');
    await row.getByRole('button', { name: 'Move', exact: true }).click();
    await row.getByText('1.0.0', { exact: true }).first().waitFor();
    await row.getByRole('button', { name: 'Return', exact: true }).click();
    await row.locator('.brief', { hasText: '1.0.1' }).waitFor();
    const path = `/v1/lenses/${lensId}/labels/production`;
    const byProgram = { token: console.setup.token, body: { version: '1.0.0' } };
    const refused = await console.setup.call('PUT', path, byProgram);
    expect([refused.status, refused.body.error?.message]).toEqual([403, expect.stringContaining('signed in')]);
    expect((await console.setup.call('DELETE', path, { token: byProgram.token })).status).toBe(403);
    await row.getByRole('button', { name: 'Remove protection' }).click();
    await row.getByRole('button', { name: 'Protect' }).waitFor();
    expect((await console.setup.call('PUT', path, byProgram)).status).toBe(200);
    await row.getByRole('button', { name: 'Make default' }).click();
    await place.getByText('Callers that name no version get 1.0.0, that of production.').waitFor();
    await row.getByRole('button', { name: 'Serve the newest' }).click();
    await row.getByRole('button', { name: 'Make default' }).waitFor();
    await page.reload();
    await place.getByText('History of labels').click();
    const history = place.locator('details').getByRole('row');
    await history.first().waitFor();
    expect(await history.allTextContents()).toEqual([
      expect.stringMatching(/^production1\.0\.1 → 1\.0\.0.*by a token/),
      expect.stringMatching(/^production1\.0\.0 → 1\.0\.1 returned.*in the console$/),
      expect.stringMatching(/^production1\.0\.1 → 1\.0\.0.*in the console$/),
      expect.stringMatching(/^production1\.0\.1.*in the console$/),
    ]);
    expect(faults).toEqual([]);
  });

  it('gives an arm to a part of the callers within bounds, and waits for a second person', async () => {
    const { page, faults } = wide;
    const [, approver] = console.setup.platform.users;
    const id = await console.make('/v1/lenses', { title: 'Letters', templateBody: template('Write to [[Name]].') });
    await api('PATCH', `/v1/lenses/${id}`, { templateBody: template('Write a letter to [[Name]].') });
    await api('PUT', `/v1/lenses/${id}/labels/production`, { version: '1.0.0' });
    await page.goto(`${console.url}/console/lenses/${id}`);
    const place = page.locator('section', { has: page.getByRole('heading', { name: 'Labels' }) });
    const row = place.getByRole('row').filter({ hasText: 'production' }).first();
    const set = async (version: string, arm: string): Promise<void> => {
      await place.getByLabel('Name').fill('production');
      await place.getByLabel('Version', { exact: true }).fill(version);
      const armField = place.getByLabel('Arm, for a part of the callers');
      if (!(await armField.isVisible())) await place.getByText('Another version for a part of the callers').click();
      await armField.fill(arm);
      await place.getByLabel('Percent of the callers').fill(arm === '' ? '' : '10');
      await place.getByRole('button', { name: 'Set label' }).click();
    };
    await set('1.0.0', '1.0.1');
    await row.getByText('10 % get 1.0.1').waitFor();
    await place.getByText('Return by itself').first().click();
    await place.getByLabel('More failures than before, in percent points').fill('1');
    await place.getByRole('button', { name: 'Return by itself' }).click();
    await row.getByText('returns by itself: failures worse by 1 points').waitFor();
    await row.getByRole('button', { name: 'Return', exact: true }).click();
    await row.getByText('10 % get 1.0.1').waitFor({ state: 'detached' });
    await place.getByText('Require a second person').first().click();
    await place.getByLabel('Handles, separated by commas').fill(approver?.handle ?? '');
    await place.getByRole('button', { name: 'Require a second person' }).click();
    await row.getByText('needs a second person').waitFor();
    await set('1.0.1', '');
    await row.getByText('a move waits for approval').click();
    const mine = page.getByRole('article', { name: 'Letters: production 1.0.0 → 1.0.1' });
    await mine.getByText('Another person must approve it.').waitFor();
    expect(await findings(page)).toEqual([]);
    const other = await console.signedIn(desktop, approver);
    await other.page.getByLabel('1 waiting').waitFor();
    await other.page.goto(`${console.url}/console/approvals`);
    await other.page
      .getByRole('article', { name: /^Letters/ })
      .getByRole('button', { name: 'Approve' })
      .click();
    await other.page.getByText('Nothing waits for you').waitFor();
    expect(await api('GET', `/v1/lenses/${id}`)).toMatchObject({ labels: [{ semver: '1.0.1', proposalId: null }] });
    expect([faults, other.faults]).toEqual([[], []]);
    await other.context.close();
  });

  it('names the workflows that use a lens, with the versions', async () => {
    const node = { id: 'write', type: 'lens', settings: { lensId, version: '1.0.1', params: { Topic: 'rain' } } };
    await console.make('/v1/workflows', { title: 'Weekly letter', graph: { nodes: [node], edges: [] } });
    const { page, faults } = wide;
    await page.goto(`${console.url}/console/lenses/${lensId}`);
    const place = page.locator('section', { has: page.getByRole('heading', { name: 'Used by' }) });
    await place.getByText('1.0.1').waitFor();
    await place.getByRole('link', { name: 'Weekly letter' }).click();
    await page.getByRole('heading', { level: 1, name: 'Weekly letter' }).waitFor();
    expect(faults).toEqual([]);
  });

  it.each([
    ['light and wide', desktop],
    ['dark and narrow', phone],
  ])('has an accessible library and lens: %s', async (_name, options) => {
    const { page, context, faults } = await console.signedIn(options);
    for (const view of ['lenses?mine=true&tag=mail&status=published', `lenses/${lensId}`]) {
      await page.goto(`${console.url}/console/${view}`);
      await page.getByText('House rules').first().waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
      if (view.startsWith('lenses/')) {
        await page.getByText('Settings', { exact: true }).click();
        await page
          .getByRole('row')
          .filter({ hasText: '1.0.0' })
          .getByRole('button', { name: 'Compare' })
          .last()
          .click();
        await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('2.0.0');
        await page.getByText('1 line added').waitFor();
      }
      expect([view, await overflow(page)]).toEqual([view, 0]);
      expect([view, await findings(page)]).toEqual([view, []]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
