import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import { findings, overflow } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, phone } from './console-browser.js';

describeInBrowser(process.env, 'scores in the console', () => {
  let console: ConsoleBrowser;
  let lensId: string;
  let runIds: string[];
  let owner: Awaited<ReturnType<ConsoleBrowser['signedIn']>>;

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    lensId = await console.make('/v1/lenses', {
      title: 'Answers',
      templateBody: 'Answer [[Question]] politely, in a few words, so that a person can say if it helped.',
    });
    await console.make('/v1/datasets', { name: 'Right answers' });
    owner = await console.signedIn();
  });
  afterAll(() => console.close());

  const api = async (
    method: string,
    path: string,
    body?: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    const token = console.setup.platform.tokens['session'] ?? '';
    return (await console.setup.call(method, path, { token, ...(body && { body }) })).body.data ?? {};
  };
  const runs = async (questions: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const Question of questions) {
      ids.push(String((await api('POST', `/v1/lenses/${lensId}/execute`, { params: { Question } }))['runId']));
    }
    const ended = async (): Promise<boolean> =>
      (await Promise.all(ids.map((id) => api('GET', `/v1/runs/${id}`)))).every(({ status }) => status === 'succeeded');
    await until(ended, { what: 'the runs to end' });
    return ids;
  };

  it('stores a scorer, says at its fields what is wrong with them, and tries it', async () => {
    const { page, faults } = owner;
    await page.goto(`${console.url}/console/lenses/${lensId}`);
    await page.getByText('A rule needs a stored scorer.').getByRole('link', { name: 'Make one' }).click();
    const scorers = page.getByRole('region', { name: 'Scorers' });
    await scorers.getByText('New scorer').click();
    const create = scorers.getByRole('button', { name: 'Create' });
    await create.click();
    const name = scorers.getByLabel('Name', { exact: true });
    await scorers.getByRole('alert').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.name')).toBe('name');
    expect(await findings(page)).toEqual([]);
    await name.fill('polite');
    expect(await scorers.getByRole('alert').count()).toBe(0);
    await scorers.getByLabel('This text').fill('politely');
    await create.click();
    const row = scorers.getByRole('row').filter({ hasText: 'polite' });
    await row.getByRole('button', { name: 'Try it' }).click();
    const trial = scorers.getByRole('region', { name: 'Try polite' });
    await trial.getByLabel('Output').fill('Go away.');
    await trial.getByRole('button', { name: 'Score' }).click();
    await trial.getByRole('status').getByText('failed').waitFor();
    expect([await overflow(page), await findings(page)]).toEqual([0, []]);
    await name.fill('polite');
    await create.click();
    await scorers.getByRole('alert').waitFor();
    expect(faults.splice(0).every((fault) => fault.includes('409'))).toBe(true);
  });

  it('creates a rule, shows the scores of a run with their reasons, and takes a rating', async () => {
    const { page, faults } = owner;
    await page.goto(`${console.url}/console/lenses/${lensId}`);
    await page.getByText('New rule').click();
    await page.getByLabel('Called').fill('all');
    await page.getByLabel('Percent of the runs').fill('100');
    const rules = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Rules of evaluation' }) })
      .last();
    await rules.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row').filter({ hasText: '0 of 1000' }).waitFor();
    expect(await findings(page)).toEqual([]);
    runIds = await runs(['one', 'two', 'three']);
    const [runId = ''] = runIds;
    const haveScores = async (): Promise<boolean> =>
      (await Promise.all(runIds.map((id) => api('GET', `/v1/runs/${id}/scores`)))).every(
        (scores) => JSON.stringify(scores) !== '[]',
      );
    await until(haveScores, { what: 'the scores' });
    await page.goto(`${console.url}/console/runs/${runId}`);
    const scores = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Scores' }) });
    await scores.getByRole('row').filter({ hasText: 'polite' }).filter({ hasText: '100 %' }).waitFor();
    await scores.getByText('Rules of evaluation').click();
    await scores.getByRole('row').filter({ hasText: 'evaluated' }).waitFor();
    await scores.getByRole('button', { name: 'Bad answer' }).click();
    await scores.getByRole('row').filter({ hasText: 'rating' }).filter({ hasText: '0 %' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goto(`${console.url}/console/runs`);
    await page.getByText('More filters').click();
    await page.getByLabel('Name of a score').fill('rating');
    await page.keyboard.press('Enter');
    await page.getByLabel('Max. score').fill('0.5');
    await page.keyboard.press('Enter');
    const listed = page.getByRole('checkbox', { name: /^Choose run / });
    await until(async () => (await listed.count()) === 1, { what: 'the run with a bad rating alone' });
    await page.getByRole('checkbox', { name: `Choose run ${runId.slice(-12)}` }).waitFor();
    await page.goto(`${console.url}/console/lenses/${lensId}`);
    await page.getByText('Scores of the last 28 days').click();
    await page.getByRole('figure').filter({ hasText: 'polite' }).waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('lets another person review answers with the keyboard, and makes cases of right answers', async () => {
    const [, other] = console.setup.platform.users;
    const { page, faults } = owner;
    await page.goto(`${console.url}/console/reviews`);
    await page.getByLabel('Queue name').fill('helpful');
    await page.getByLabel('Reviewers, by handle').fill(other?.handle ?? '');
    await page.getByLabel('What reviewers are asked').fill('Does it help?');
    await page.getByLabel('Judge to compare with').fill('polite');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Add runs').first().click();
    await page.getByRole('combobox', { name: 'Lens', exact: true }).fill('answers');
    await page.getByRole('option', { name: /^Answers/ }).click();
    await page.getByRole('button', { name: 'Add runs' }).click();
    await page.getByText('3 answers were added.').waitFor();
    const queue = new URL(page.url()).pathname;
    // From its page a run gets into the queue, too: this one is there already.
    await page.goto(`${console.url}/console/runs/${runIds[0]}`);
    await page.getByRole('button', { name: 'Add to reviews' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to reviews' });
    await dialog.getByLabel('Queue').waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add to reviews' }).click();
    await dialog.getByText('0 answers were added.').waitFor();
    await dialog.getByRole('link', { name: 'Open the queue' }).click();
    await page.waitForURL(`**${queue}`);

    const reviewer = await console.signedIn(phone, other);
    await reviewer.page.goto(`${console.url}${queue}`);
    await reviewer.page.getByText('Does it help?').waitFor();
    await reviewer.page.getByText('3 wait for you').waitFor();
    expect(await reviewer.page.getByRole('heading', { name: 'Agreement' }).count()).toBe(0);
    expect(await findings(reviewer.page)).toEqual([]);
    expect(await overflow(reviewer.page)).toBeLessThanOrEqual(0);
    const { keyboard } = reviewer.page;
    await keyboard.press('Enter');
    await reviewer.page.getByText('Choose a mark first.').waitFor();
    await keyboard.press('b');
    await keyboard.press('e');
    await keyboard.type('The right answer.');
    await keyboard.press('Control+Enter');
    await reviewer.page.getByText('2 wait for you').waitFor();
    for (const left of ['1 waits for you', 'Nothing waits for you']) {
      await keyboard.press('g');
      await keyboard.press('Enter');
      await reviewer.page.getByText(left).waitFor();
    }
    expect(reviewer.faults).toEqual([]);
    await reviewer.context.close();

    await page.reload();
    await page.getByText('3 of 3 answers reviewed').waitFor();
    await page.getByText('66.7 %').waitFor();
    await page.getByRole('heading', { name: 'Where the judge fails most' }).waitFor();
    await page.getByText('Add right answers to a dataset').first().click();
    await page.getByRole('button', { name: 'Add right answers to a dataset' }).click();
    await page.getByText('1 added, 0 changed.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
