import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findings, overflow } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop, phone } from './console-browser.js';

describeInBrowser(process.env, 'datasets in the console', () => {
  let console: ConsoleBrowser;

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    await console.make('/v1/lenses', {
      title: 'About the sea',
      templateBody: 'Write one plain sentence about the topic [[Topic]] and say nothing else.',
      settings: { models: ['offline/echo'] },
    });
  });
  afterAll(async () => {
    await console.close();
  });

  it('come from a file, are edited, show what changed, and start an experiment', async () => {
    const { page, faults } = await console.signedIn(desktop);
    await page.getByRole('link', { name: 'Datasets' }).click();
    await page.getByText('No datasets yet').waitFor();
    await page.getByLabel('Name', { exact: true }).last().fill('Topics');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Topics' }).waitFor();
    await page.getByRole('button', { name: 'Import a file' }).click();
    await page.getByText('Choose a file first.').waitFor();
    const buffer = Buffer.from('key,param:Topic,expected,tags\na,the sea,sea,wet\nb,the moon,moon,dry\n');
    await page.setInputFiles('input[type=file]', { name: 'topics.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Import a file' }).click();
    await page.getByText('2 cases · revision 1').waitFor();
    await page.getByRole('button', { name: 'b', exact: true }).click();
    await page.getByLabel('Parameters, as JSON').fill('the moon');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The parameters are no JSON object').waitFor();
    await page.getByLabel('Parameters, as JSON').fill('{"Topic":"the sun"}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('2 cases · revision 2').waitFor();
    await page.getByRole('button', { name: 'What changed' }).first().click();
    await page.locator('.diff-line.added', { hasText: 'the sun' }).waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('dry');
    await page.getByRole('button', { name: 'a', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Start' }).click();
    expect(await page.getByRole('heading', { name: 'Results' }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Lens', exact: true }).fill('the sea');
    await page.getByRole('option', { name: /^About the sea/ }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'Results' }).waitFor();
    await page.getByRole('button', { name: 'b', exact: true }).click();
    await page.getByText('contains: ').first().waitFor();
    await page.getByRole('link', { name: 'Dataset', exact: true }).click();
    await page.getByRole('heading', { name: 'Topics' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'csv', exact: true }).click();
    expect((await saved).suggestedFilename()).toBe('Topics.csv');
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('fit on a phone', async () => {
    const { page } = await console.signedIn(phone);
    await page.goto(`${console.url}/console/datasets`);
    await page.getByRole('link', { name: 'Topics' }).click();
    await page.getByRole('heading', { name: 'Topics' }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await findings(page)).toEqual([]);
  });
});
