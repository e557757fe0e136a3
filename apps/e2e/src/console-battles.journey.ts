import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings, overflow } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop, phone, readDownload } from './console-browser.js';

const picture = join(import.meta.dirname, '../../../docs/images/console.png');
const hostile = `<img src=x onerror="document.title='broken'"> **bold** [x](javascript:alert(1))`;

describeInBrowser(process.env, 'the battles, AI lensers and threads of the console', () => {
  let console: ConsoleBrowser;
  let url: string;

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env, { samples: true });
    ({ url } = console);
  });
  afterAll(async () => {
    await console.close();
  });

  const shown = async (page: Page, view: string): Promise<void> => {
    await page.goto(`${url}/console/${view}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
  };
  const idOf = async (sql: string): Promise<string> => {
    const [row] = await console.setup.db.query<{ id: string }[]>(sql);
    return row?.id ?? '';
  };

  it('shows the runs of a month; LENSFORGE_RECORD=1 writes the picture of README.md', async () => {
    const { page, context, faults } = await console.signedIn({ ...desktop, viewport: { width: 1080, height: 640 } });
    await shown(page, 'runs?range=month');
    await page.locator('.run-row').nth(5).waitFor();
    await page.locator('.charts canvas').first().waitFor();
    if (process.env['LENSFORGE_RECORD'] === '1') await page.screenshot({ path: picture });
    expect((await stat(picture)).size).toBeLessThan(120_000);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('takes votes on a phone, by touch and by keyboard, also as a ranking', async () => {
    const { page, context, faults } = await console.signedIn({ ...phone, hasTouch: true });
    await shown(page, 'battles/vote');
    const counted = page.getByText('Your vote is counted.');
    await page.getByRole('button', { name: 'This one' }).first().tap();
    await counted.waitFor();
    await page.getByRole('button', { name: 'Next battle' }).tap();
    // The ballot stays until the next one is read.
    await counted.waitFor({ state: 'hidden' });
    await page.keyboard.press('0');
    await counted.waitFor();
    await page.keyboard.press('Enter');
    await counted.waitFor({ state: 'hidden' });
    const ranking = page.getByLabel('Rank the answers');
    if ((await ranking.count()) > 0) {
      await ranking.check();
      for (const key of ['2', '1', '3', 'Enter']) await page.keyboard.press(key);
    } else await page.keyboard.press('2');
    await counted.waitFor();
    const [alice] = console.setup.platform.users;
    const votes = await console.setup.db.query<{ places: number }[]>(
      'select jsonb_array_length(ranking) as places from battle_votes where account_id = $1',
      [alice?.lenserId],
    );
    expect(votes).toHaveLength(3);
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await context.close();
  });

  it('draws leaderboards with intervals, and downloads the votes', async () => {
    const fitted = async (): Promise<boolean> =>
      ((await console.setup.call('GET', '/v1/leaderboards/ai_vs_ai')).body.data as unknown as unknown[]).length > 0;
    await until(fitted, { what: 'the ratings of the samples' });
    const { page, context, faults } = await console.signedIn();
    await shown(page, 'battles?tab=leaderboards');
    await page.getByRole('row').filter({ hasText: 'Teacher' }).getByRole('img').waitFor();
    await page.getByRole('heading', { name: 'How sure is the first place?' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the votes' }).click();
    const lines = (await readDownload(await saved)).trim().split('\n');
    expect(lines.length).toBeGreaterThan(60);
    expect(lines.join('')).not.toContain('account');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('approves an action of an AI lenser, grants a tool from the list, and changes its policy', async () => {
    const agentId = await idOf(`select id from accounts where handle = 'scribe'`);
    const { page, context, faults } = await console.signedIn();
    await shown(page, '');
    await page.getByRole('link', { name: /^@scribe: / }).waitFor();
    await shown(page, 'approvals');
    const action = page.locator('.panel').filter({ hasText: 'Shortest answer wins' });
    await action.getByRole('link', { name: '@scribe' }).waitFor();
    await shown(page, `agents/${agentId}?tab=approvals`);
    await page.getByText('Shortest answer wins').waitFor();
    // The log has it where it was asked for.
    await shown(page, `agents/${agentId}?tab=log`);
    const asked = page.getByRole('listitem').filter({ hasText: 'Approval requested' });
    await asked.getByText('Shortest answer wins').waitFor();
    await asked.getByRole('button', { name: 'Approve' }).click();
    await asked.getByText('Shortest answer wins').waitFor({ state: 'detached' });
    await shown(page, `agents/${agentId}?tab=approvals`);
    await page.getByText('Nothing waits for you').waitFor();
    expect(await idOf(`select id from battles where title = 'Shortest answer wins'`)).not.toBe('');
    await shown(page, `agents/${agentId}?tab=tools`);
    await page.locator('select[name=tool]').selectOption('list_workflows');
    await page.getByRole('button', { name: 'Grant' }).last().click();
    await page.getByRole('cell', { name: 'list_workflows' }).waitFor();
    await shown(page, `agents/${agentId}?tab=policy`);
    await page.getByLabel('Vote: Allow').check();
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());
    await page.getByRole('button', { name: 'Save' }).click();
    await saved;
    await page.reload();
    await page.getByLabel('Vote: Allow').waitFor();
    expect(await page.getByLabel('Vote: Allow').isChecked()).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the Markdown of a message, and hostile markup as text', async () => {
    const threadId = await idOf(`select id from threads where title = 'Writing for newcomers'`);
    const { page, context, faults } = await console.signedIn();
    await shown(page, `threads/${threadId}`);
    await page.getByLabel('Your message').fill(hostile);
    await page.getByRole('button', { name: 'Post' }).click();
    const message = page.getByRole('article').filter({ hasText: '<img src=x' });
    await message.locator('strong', { hasText: 'bold' }).waitFor();
    expect(
      await page.evaluate('document.querySelectorAll(".markdown img, .markdown a[href^=javascript]").length'),
    ).toBe(0);
    expect(await page.title()).not.toBe('broken');
    await message.getByRole('button', { name: 'Reply' }).click();
    await page.getByLabel('Your reply to').fill('I see it as text.');
    await page.getByRole('button', { name: 'Reply', exact: true }).first().waitFor();
    await page.locator('form').filter({ hasText: 'Your reply to' }).getByRole('button', { name: 'Reply' }).click();
    await page.locator('.replies').filter({ hasText: 'I see it as text.' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([
    ['light and wide', desktop],
    ['dark and narrow', phone],
  ])('has accessible views within their window: %s', async (_name, options) => {
    const agentId = await idOf(`select id from accounts where handle = 'scribe'`);
    const threadId = await idOf(`select id from threads where title = 'Writing for newcomers'`);
    const battleId = await idOf(`select id from battles where status = 'published' limit 1`);
    const views = ['battles/new', 'battles?tab=leaderboards', 'battles?tab=history', `battles/${battleId}`];
    views.push('battles/vote', 'agents?tab=servers', `threads/${threadId}`);
    for (const tab of ['profile', 'policy', 'tools', 'approvals', 'runs', 'log'])
      views.push(`agents/${agentId}?tab=${tab}`);
    const { page, context } = await console.signedIn(options);
    for (const view of views) {
      await shown(page, view);
      expect([view, await overflow(page)]).toEqual([view, 0]);
      expect([view, await findings(page)]).toEqual([view, []]);
    }
    await context.close();
  });

  it('keeps the invariants with the samples', async () => {
    const { ledgerFaults, withGaps, badlyEnded, badArtifacts, badlyCharged } = await console.setup.findings();
    expect({ ledgerFaults, withGaps, badlyEnded, badArtifacts, badlyCharged }).toEqual({
      ledgerFaults: [],
      withGaps: 0,
      badlyEnded: 0,
      badArtifacts: 0,
      badlyCharged: 0,
    });
  });
});
