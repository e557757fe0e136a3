import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findings, overflow } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop, phone, readDownload } from './console-browser.js';
import type { TestPlatform } from './test-platform.js';

const root = join(import.meta.dirname, '..', '..', '..');
const script = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>[[x](javascript:alert(1))`;

describeInBrowser(process.env, 'the console', () => {
  let console: ConsoleBrowser;
  let setup: TestPlatform;
  let url: string;
  let workflowId: string;

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    ({ setup, url } = console);
    workflowId = await make('/v1/workflows', {
      title: 'Ask first',
      graph: {
        nodes: [
          { id: 'ask', type: 'approval', settings: { message: 'May it go on?' } },
          { id: 'pause', type: 'delay', settings: { seconds: 0 } },
        ],
        edges: [{ from: 'ask', to: 'pause' }],
      },
    });
  });
  afterAll(async () => {
    await console.close();
  });

  const make: ConsoleBrowser['make'] = async (path, body) => console.make(path, body);
  const signedIn: ConsoleBrowser['signedIn'] = async (options) => console.signedIn(options);
  const openPage: ConsoleBrowser['openPage'] = async (context, faults) => console.openPage(context, faults);

  /** An ended experiment with two arms, one of which makes the answers too long for its scorer. */
  async function anExperiment(): Promise<string> {
    const templateBody = 'Write one plain sentence about [[Topic]] and say nothing else, please.';
    const lensId = await make('/v1/lenses', { title: 'Sentences', templateBody });
    const datasetId = await make('/v1/datasets', { name: `Topics of ${lensId}` });
    const token = setup.platform.tokens['session'] ?? '';
    const save = ['sea', 'hill'].map((key) => ({ key, params: { Topic: `the ${key}` }, expected: key }));
    await setup.call('POST', `/v1/datasets/${datasetId}/cases`, { token, body: { save } });
    const long = `${templateBody} ${'Take your time, and be as thorough as you can. '.repeat(4)}`;
    const assertions = [{ type: 'contains' }, { type: 'word-count', value: { max: 40 } }];
    const made = await setup.call('POST', '/v1/experiments', {
      token,
      body: {
        name: 'Long and short',
        target: { lensId },
        dataset: { id: datasetId },
        arms: [{ name: 'short' }, { name: 'long', candidate: { templateBody: long } }],
        baseline: 'short',
        scorers: [{ name: 'words', kind: 'check', assertions }],
        gate: { rules: [{ scorer: 'words', min: 0.9 }] },
      },
    });
    const path = `/v1/experiments/${String(made.body.data?.['id'])}`;
    const hasEnded = async (): Promise<boolean> =>
      typeof (await setup.call('GET', path, { token })).body.data?.['completedAt'] === 'string';
    await until(hasEnded, { what: 'the experiment to end' });
    return path.slice('/v1/experiments/'.length);
  }

  it('signs in by code with PKCE, stores no token, and goes on after a reload', async () => {
    const { page, context, faults } = await signedIn();
    expect(new URL(page.url()).search).toBe('');
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).not.toMatch(/eyJ|lf_/);
    await page.reload();
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('asks to sign in again when the session has ended, and returns to the view', async () => {
    const { page, context, faults } = await signedIn();
    const other = await openPage(context, faults);
    await other.goto(`${url}/console/lenses`);
    // Before that it may have no session yet, and would show the page for signing in.
    await other.getByRole('link', { name: 'Threads' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.getByRole('alertdialog').getByRole('button', { name: 'Sign in' }).click();
    await other.waitForURL('**/id/authorize**');
    expect(new URL(other.url()).searchParams.get('client_id')).toBe('lensforge-console');
    await context.close();
  });

  it('loads at most 140 kB of compressed scripts for its first view', async () => {
    const { page, context } = await signedIn();
    await page.goto(`${url}/console/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const names = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
    );
    const sizes = await Promise.all(
      names.map(async (name) => {
        const script = await fetch(name);
        return gzipSync(new Uint8Array(await script.arrayBuffer()), { level: 9 }).length;
      }),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const { paintMs, shift } = await page.evaluate<{ paintMs: number; shift: number }>(`new Promise((resolve) => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      new PerformanceObserver((list) => {
        const shift = list.getEntries().reduce((sum, { value }) => sum + value, 0);
        resolve({ paintMs: Math.round(paint?.startTime ?? 0), shift });
      }).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve({ paintMs: Math.round(paint?.startTime ?? 0), shift: 0 }), 500);
    })`);
    const kilobytes = Math.round(bytes / 1000);
    process.stdout.write(
      `console: ${kilobytes} kB of scripts, first paint after ${paintMs} ms, layout shift ${shift}\n`,
    );
    expect(names.length).toBeGreaterThan(1);
    expect(bytes).toBeLessThan(140_000);
    expect(shift).toBeLessThan(0.1);
    await context.close();
  });

  it('refuses a sign-in that was not begun in this tab', async () => {
    const { page, context } = await signedIn();
    await page.goto(`${url}/console/signed-in?code=stolen&state=guessed`);
    expect(await page.getByRole('alert').textContent()).toContain('was not begun here');
    await context.close();
  });

  it.each([
    ['light and wide', desktop],
    ['dark and narrow', phone],
  ])('has accessible views within their window: %s', async (_name, options) => {
    const runId = await setup.accepted();
    const battleId = await make('/v1/battles', { title: 'Sea', taskPrompt: 'Describe the sea at night.' });
    const threadId = await make('/v1/threads', { title: 'Tone' });
    const lensId = setup.platform.lensId ?? '';
    const experimentId = await anExperiment();
    const { page, context, faults } = await signedIn(options);
    const queueId = await make('/v1/review-queues', { name: `q-${Date.now()}` });
    const views = ['runs', `runs/${runId}`, 'lenses', `lenses/${lensId}`, 'lenses/new', 'workflows', 'approvals'];
    views.push('experiments', `experiments/${experimentId}`, 'reviews', `reviews/${queueId}`);
    views.push(`workflows/${workflowId}`, 'battles', `battles/${battleId}`, 'agents', 'threads', `threads/${threadId}`);
    views.push(
      ...['endpoints', 'incoming', 'debugger'].map((tab) => `webhooks?tab=${tab}`),
      ...['profile', 'sessions', 'communities', 'tokens', 'keys', 'credits', 'audit'].map(
        (tab) => `account?tab=${tab}`,
      ),
      'operator',
      'none',
    );
    for (const view of views) {
      await page.goto(`${url}/console/${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
      expect([view, await overflow(page)]).toEqual([view, 0]);
      expect([view, await findings(page)]).toEqual([view, []]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows what an experiment has found, and opens a case with the answers of all arms', async () => {
    const experimentId = await anExperiment();
    const { page, context, faults } = await signedIn();
    await page.goto(`${url}/console/experiments`);
    await page.getByRole('link', { name: 'Long and short' }).first().click();
    await page.waitForURL(`**/experiments/${experimentId}`);
    await page.getByRole('heading', { name: 'Gate failed' }).waitFor();
    const rows = page.getByRole('table').filter({ hasText: 'Against the baseline' }).getByRole('row');
    const listArms = async (): Promise<unknown[]> => (await rows.allInnerTexts()).map((row) => row.split(/\s/)[0]);
    expect(await listArms()).toEqual(['Arm', 'short', 'long']);
    const byArm = page.getByRole('columnheader', { name: 'Arm' });
    await byArm.getByRole('button').press('Enter');
    expect([await byArm.getAttribute('aria-sort'), await listArms()]).toEqual(['ascending', ['Arm', 'long', 'short']]);
    await byArm.getByRole('button').press('Enter');
    expect([await byArm.getAttribute('aria-sort'), await listArms()]).toEqual(['descending', ['Arm', 'short', 'long']]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    expect(await readDownload(await saved)).toContain('\nsea,long,1,scored,');
    await rows.filter({ hasText: 'long' }).getByText('0 better, 2 worse.').waitFor();
    const history = page.getByRole('region', { name: 'Versions tried with this dataset' }).getByRole('row');
    await history.filter({ hasText: 'not saved as a version' }).getByText('failed').waitFor();
    expect(await history.count()).toBe(3);
    await page.getByRole('button', { name: 'worse' }).click();
    await page.getByText('words: word-count').first().waitFor();
    await page.getByRole('button', { name: 'sea', exact: true }).click();
    const opened = page.getByRole('region', { name: 'sea' });
    await opened.getByRole('heading', { name: 'short passed' }).waitFor();
    await opened.getByRole('heading', { name: 'long failed' }).waitFor();
    await opened.getByRole('link', { name: 'Run' }).first().click();
    await page.getByText('run.succeeded').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.waitForURL((address) => !address.pathname.endsWith(experimentId));
    await page.getByText('4 of 4 answers').waitFor();
    await history.nth(4).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('tells on its home what waits, what runs and what has failed', async () => {
    const token = setup.platform.tokens['session'] ?? '';
    const { body } = await setup.call('POST', `/v1/workflows/${workflowId}/run`, { token, body: { inputs: {} } });
    const failing = await setup.accepted({ script: { fail: 'no answer', failKind: 'refused' } });
    await until(async () => (await setup.statusOf(failing)) === 'failed', { what: 'the failure' });
    const { page, context, faults } = await signedIn();
    await page.getByRole('link', { name: 'Home' }).click();
    const part = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
    await part('Waits for you').getByRole('link', { name: 'May it go on?' }).waitFor();
    await part('On their way')
      .getByRole('link', { name: /^Ask first / })
      .waitFor();
    await part('Failed in the last day').getByText('PROVIDER_REFUSED').waitFor();
    await part('Credits').getByText('Available').waitFor();
    expect(await findings(page)).toEqual([]);
    await part('Failed in the last day')
      .getByRole('link', { name: /^Journey / })
      .click();
    await page.getByRole('heading', { name: `Journey ${failing.slice(-12)}` }).waitFor();
    const other = await console.signedIn(desktop, setup.platform.users[1]);
    await other.page.goto(`${url}/console/`);
    await other.page.getByText('Nothing has run yet').waitFor();
    await other.page.getByText('Nothing waits for you').waitFor();
    expect(faults).toEqual([]);
    await setup.call('POST', `/v1/runs/${String(body.data?.['runId'])}/cancel`, { token });
    await context.close();
    await other.context.close();
  });

  it('executes a lens, shows its output as it is written, and lists the run', async () => {
    const { page, context, faults } = await signedIn();
    await page.goto(`${url}/console/lenses/${setup.lensId}`);
    await page.getByLabel('Name', { exact: true }).first().fill('Ada');
    await page.getByRole('textbox', { name: 'Script (optional)' }).fill('\n@offline {"pieces":20,"pieceDelayMs":40}\n');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByLabel('Output').filter({ hasText: 'piece' }).waitFor();
    await page.getByText('succeeded').waitFor();
    await page.getByRole('link', { name: /^Runs [0-9a-f]{12}$/ }).click();
    await page.getByText('run.succeeded').waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
    await page.getByRole('button', { name: 'succeeded' }).click();
    await page.waitForURL('**/runs?status=succeeded');
    await page.locator('.run-row').first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('pauses a queue for its operator, whose runs wait, and lets it go on', async () => {
    const { page, context, faults } = await signedIn();
    await page.getByRole('link', { name: 'Operator' }).click();
    const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: /^runs( paused)?$/ }) });
    await row.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await row.getByText('paused').waitFor();
    const runId = await setup.accepted();
    const token = setup.platform.tokens['session'] ?? '';
    const status = async (): Promise<unknown> =>
      (await setup.call('GET', `/v1/runs/${runId}`, { token })).body.data?.['status'];
    await row.getByRole('cell', { name: '1', exact: true }).first().waitFor();
    expect(await status()).toBe('queued');
    await page.getByRole('button', { name: 'Give queued runs new jobs' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText('Queued runs with new jobs: 1').waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await until(async () => (await status()) === 'succeeded', { what: 'the run to go on' });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('executes nothing that a lens, an output or a message contains', async () => {
    const token = setup.platform.tokens['session'] ?? '';
    const lensId = await make('/v1/lenses', { title: script, description: script, templateBody: `${script} [[Name]]` });
    const threadId = await make('/v1/threads', { title: script });
    await make(`/v1/threads/${threadId}/messages`, { text: script });
    const body = { params: { Name: script } };
    const { body: accepted } = await setup.call('POST', `/v1/lenses/${lensId}/execute`, { body, token });
    const { page, context, faults } = await signedIn();
    for (const view of [`lenses/${lensId}`, `threads/${threadId}`, `runs/${String(accepted.data?.['runId'])}`]) {
      await page.goto(`${url}/console/${view}`);
      await page.getByText('<img src=x').first().waitFor();
      expect(await page.evaluate('document.querySelectorAll("main img, main script").length')).toBe(0);
      expect(await page.title()).not.toBe('broken');
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it('asks for an approval and goes on after it', async () => {
    const { page, context } = await signedIn();
    await page.goto(`${url}/console/workflows/${workflowId}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('run.succeeded').waitFor();
    await context.close();
  });

  it('resumes the events of a run after the gateway was restarted', async () => {
    const runId = await setup.accepted({ script: { pieces: 80, pieceDelayMs: 250 } });
    const { page, context } = await signedIn();
    await page.goto(`${url}/console/runs/${runId}`);
    await page.getByLabel('Output').filter({ hasText: 'piece' }).waitFor();
    setup.platform.kill('all-in-one', 0, 'SIGKILL');
    await page.locator('.facts .status.good').waitFor();
    const { body } = await until(() => setup.call('GET', `/v1/runs/${runId}`), { what: 'the new gateway' });
    const [artifact] = body.data?.['artifacts'] as { contentText: string }[];
    expect(await page.getByLabel('Output').textContent()).toBe(artifact?.contentText);
    await context.close();
  });

  it('edits a graph with undo, and overwrites nothing that another tab has saved', async () => {
    const { page, context, faults } = await signedIn();
    const other = await openPage(context, faults);
    for (const [tab, type] of [[page, 'delay'] as const, [other, 'approval'] as const]) {
      await tab.goto(`${url}/console/workflows/${workflowId}`);
      await tab.getByRole('button', { name: 'Add node' }).click();
      await tab.getByRole('button', { name: new RegExp(`^${type}`) }).click();
    }
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await page.getByRole('button', { name: 'Save version' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Redo' }).click();
    // The button is disabled while it saves, too.
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
    await page.getByRole('button', { name: 'Save version' }).click();
    await saved;
    await until(() => page.getByRole('button', { name: 'Save version' }).isDisabled(), { what: 'the saved version' });
    await other.getByRole('button', { name: 'Save version' }).click();
    expect(await other.getByRole('alert').textContent()).toContain('Another version was saved');
    const { body } = await setup.call('GET', `/v1/workflows/${workflowId}/versions`);
    expect(body.data).toHaveLength(2);
    await other.getByRole('button', { name: 'Save mine as the newest' }).click();
    await until(() => other.getByRole('button', { name: 'Save version' }).isDisabled(), { what: 'the saved version' });
    // The first tab learns of it before it changes anything.
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('Version 3 was saved meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Load it' }).click();
    await page.getByText('Version 3 was saved meanwhile.').waitFor({ state: 'hidden' });
    await context.close({ runBeforeUnload: false } as never);
  });

  it('changes a setting in its field and as JSON, and keeps what is not JSON', async () => {
    const { page, context } = await signedIn();
    await page.goto(`${url}/console/workflows/${workflowId}`);
    await page.getByRole('button', { name: 'ask', exact: true }).click();
    await page.getByLabel('Question for the approver').fill('Really?');
    await page.getByText('Settings (JSON)').click();
    const json = page.getByRole('textbox', { name: 'Settings (JSON)' });
    expect(JSON.parse(await json.inputValue())).toMatchObject({ message: 'Really?' });
    await json.fill('{"message": ');
    expect(await page.getByRole('alert').textContent()).toContain('This is not JSON');
    await json.fill('{"message":"Now?","expiresInSeconds":60}');
    expect(await page.getByLabel('Expires after seconds').inputValue()).toBe('60');
    expect(await findings(page)).toEqual([]);
    await context.close();
  });

  it('checks the signature of a delivery that is pasted', async () => {
    const vectors = JSON.parse(await readFile(join(root, 'docs', 'webhook-vectors.json'), 'utf8')) as {
      vectors: { secrets: string[]; body: string; headers: Record<string, string> }[];
    };
    const [vector] = vectors.vectors;
    if (!vector) throw new Error('there are no vectors');
    const { page, context } = await signedIn();
    await page.goto(`${url}/console/webhooks?tab=debugger`);
    const headers = Object.entries(vector.headers).map((pair) => pair.join(': '));
    await page.getByLabel('Headers').fill(headers.join('\n'));
    await page.getByLabel('Signing secret').fill(vector.secrets[0] ?? '');
    await page.getByLabel('Body').fill(`${vector.body} `);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Body').fill(vector.body);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('status').filter({ hasText: 'The signature is valid' }).waitFor();
    await context.close();
  });

  it('goes to views and lenses by keyboard alone', async () => {
    const { page, context } = await signedIn();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('journey');
    await page.getByRole('option', { name: 'Lens: Journey' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Journey', level: 1 }).waitFor();
    await context.close();
  });

  it('shows a list of thousands of runs with few rows in the page', async () => {
    const runId = await setup.accepted();
    await until(async () => (await setup.statusOf(runId)) === 'succeeded', { what: 'the end of the run' });
    await setup.db.query(
      `insert into runs
       select copy.*
         from runs r, generate_series(1, 3000) as n,
              lateral jsonb_populate_record(null::runs, to_jsonb(r) || jsonb_build_object(
                'id', uuidv7(), 'created_at', r.created_at - n * interval '1 minute')) copy
        where r.id = $1`,
      [runId],
    );
    const { page, context } = await signedIn();
    for (let pages = 0; pages < 5; pages += 1) {
      await page.getByRole('region', { name: 'Runs' }).press('End');
      await page.waitForTimeout(500);
    }
    expect(Number(await page.locator('.shown').textContent())).toBeGreaterThan(300);
    expect(await page.locator('.run-row').count()).toBeLessThan(60);
    await context.close();
  });
});
