import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { findings, overflow } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop, phone } from './console-browser.js';
import type { TestPlatform } from './test-platform.js';

describeInBrowser(process.env, 'the console, on runs', () => {
  let console: ConsoleBrowser;
  let setup: TestPlatform;
  let url: string;
  let workflowId: string;
  let receiver: Server;
  let receiverStatus = 200;
  let receiverUrl: string;
  let endpointId: string;
  let [first, second] = ['', ''];

  const call = async (method: string, path: string, body?: Record<string, unknown>) =>
    setup.call(method, path, { token: setup.platform.tokens['session'] ?? '', ...(body && { body }) });
  const started = async (text: string): Promise<string> => {
    const { body } = await call('POST', `/v1/workflows/${workflowId}/run`, { inputs: { text } });
    const runId = String(body.data?.['runId']);
    await until(async () => (await setup.statusOf(runId)) === 'succeeded', { what: 'the end of the run' });
    return runId;
  };
  const failed = async (tag: string): Promise<string> => {
    const runId = await setup.accepted({ script: { fail: 'no answer', failKind: 'refused' }, body: { tags: [tag] } });
    await until(async () => (await setup.statusOf(runId)) === 'failed', { what: 'the failure' });
    return runId;
  };

  beforeAll(async () => {
    const environment = { LENSFORGE_TRACE_URL: 'https://traces.example/{traceId}' };
    console = await ConsoleBrowser.open(process.env, { environment });
    ({ setup, url } = console);
    workflowId = await console.make('/v1/workflows', {
      title: 'Repeat',
      graph: {
        inputs: { type: 'object', properties: { text: { type: 'string' } } },
        nodes: [
          { id: 'take', type: 'transform', settings: { expression: 'inputs.text' } },
          { id: 'give', type: 'transform', settings: { expression: 'nodes.take.output' } },
        ],
        edges: [{ from: 'take', to: 'give' }],
        outputs: { text: 'nodes.give.output' },
      },
    });
    receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(receiverStatus).end(receiverStatus === 200 ? 'stored' : 'no space is left');
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks-with-a-long-name-for-narrow-windows`;
    endpointId = await console.make('/v1/webhook-endpoints', { url: receiverUrl, events: ['run.completed'] });
    [first, second] = [await started('the sea at noon'), await started('the sea at night')];
  });
  afterAll(async () => {
    receiver.close();
    await console.close();
  });

  it.each([
    ['light and wide', desktop],
    ['dark and narrow', phone],
  ])('has accessible views of runs within their window: %s', async (_name, options) => {
    await failed('seen');
    const { page, context, faults } = await console.signedIn(options);
    const views = ['runs?range=hour', 'runs?status=failed&tag=seen&lensId=x', `runs/${first}`, 'runs/compare'];
    views.push(`runs/compare?a=${first}&b=${second}`, `workflows/${workflowId}`, 'operator');
    for (const view of views) {
      await page.goto(`${url}/console/${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
      const filters = page.getByText('Filters and charts');
      if (await filters.isVisible()) await filters.click();
      for (const table of await page.getByText('As a table').all()) await table.click();
      expect([view, await overflow(page)]).toEqual([view, 0]);
      expect([view, await findings(page)]).toEqual([view, []]);
    }
    // A lens that is no id is refused, which the view says.
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
    await context.close();
  });

  it('keeps filters in its address, draws charts of them, and compares two chosen runs', async () => {
    const { page, context, faults } = await console.signedIn();
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.getByLabel('Workflow', { exact: true }).selectOption({ label: 'Repeat' });
    await page.waitForURL(`**/runs?**workflowId=${workflowId}**`);
    await page.reload();
    const chart = page.getByRole('img', { name: /^Runs: 2\./ });
    await chart.waitFor();
    const figure = page.locator('figure').filter({ has: chart }).locator('figcaption');
    const drawing = chart.locator('.u-over');
    const { width = 0, height = 0 } = (await drawing.boundingBox()) ?? {};
    let left = width;
    const showsRuns = async (): Promise<boolean> => {
      left -= 2;
      await drawing.hover({ position: { x: left, y: height / 2 } });
      return /^[12]$/.test(await figure.locator('strong').innerText());
    };
    await until(showsRuns, { what: 'the last minute with runs', every: 0 });
    await figure.getByText(/^\d\d:\d\d$/).waitFor();
    await until(async () => (await page.locator('.run-row').count()) === 2, { what: 'the two runs of the workflow' });
    // Drawing over a chart chooses the days that it covers.
    await drawing.dragTo(drawing, {
      sourcePosition: { x: width / 2, y: height / 2 },
      targetPosition: { x: width - 2, y: height / 2 },
    });
    await page.waitForURL(/from=\d{4}-\d\d-\d\d&until=\d{4}-\d\d-\d\d/);
    await until(async () => (await page.locator('.run-row').count()) === 2, { what: 'the two runs of today' });
    await page.getByLabel('First day').fill('2999-01-01');
    await page.waitForURL('**from=2999-01-01**');
    await until(async () => (await page.locator('.run-row').count()) === 0, { what: 'no runs of that day' });
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.waitForURL((address) => !address.search.includes('from='));
    await until(async () => (await page.locator('.run-row').count()) === 2, { what: 'the two runs again' });
    await page.getByText('As a table').click();
    await page.getByRole('region', { name: 'As a table' }).getByRole('row').nth(1).waitFor();
    const all = page.getByRole('checkbox', { name: 'Choose all runs that are loaded' });
    await all.check();
    await page.getByText('2 chosen').waitFor();
    await all.uncheck();
    await page.getByRole('checkbox', { name: `Choose run ${second.slice(-12)}` }).check();
    // With the shift key, all runs from the last one on.
    await page.getByRole('checkbox', { name: `Choose run ${first.slice(-12)}` }).click({ modifiers: ['Shift'] });
    await page.getByText('2 chosen').waitFor();
    const compare = page.getByRole('link', { name: 'Compare the two' });
    await compare.click();
    await page.waitForURL('**/runs/compare?a=**');
    await page.goto(`${url}/console/runs/compare?a=${first}&b=${second}`);
    const input = page.getByRole('region', { name: 'Input', exact: true });
    expect(await input.locator('.removed').textContent()).toContain('noon');
    expect(await input.locator('.added').textContent()).toContain('night');
    expect(await page.getByRole('region', { name: 'Output', exact: true }).locator('.added').count()).toBe(1);
    await page.getByRole('region', { name: 'Nodes', exact: true }).getByRole('rowheader', { name: 'give' }).waitFor();
    await page.getByRole('link', { name: 'Swap sides' }).click();
    await page.waitForURL(`**/runs/compare?a=${second}&b=${first}`);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('searches texts, chooses columns, keeps a view, acts on chosen runs and exports them', async () => {
    const retried = await failed('by hand');
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${url}/console/runs`);
    const rows = page.locator('.run-row');
    await page.getByLabel('Text in input or output').fill('THE SEA AT NIGHT');
    await page.keyboard.press('Enter');
    await page.getByText('Not updated during a search').waitFor();
    await until(async () => (await rows.count()) === 1, { what: 'the run that was found' });
    await page.getByRole('link', { name: new RegExp(second.slice(-12)) }).waitFor();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Text in input or output');
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('button', { name: 'Input', exact: true }).click();
    await page.getByRole('button', { name: 'Version', exact: true }).click();
    await rows.getByText('{"text": "the sea at night"}').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk as Buffer);
    const file = Buffer.concat(chunks).toString();
    expect(file.split('\r\n')[0]).toBe(
      '"id","status","title","version","input","modelKey","durationMs","creditCost","createdAt"',
    );
    expect(file).toContain(`"${second}","succeeded","Repeat","1","{""text"": ""the sea at night""}"`);
    expect(file).not.toContain(first);

    await page.getByText('Saved views').click();
    await page.getByLabel('Name of the view').fill('Nights');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByRole('button', { name: 'Input', exact: true }).click();
    await page.goto(`${url}/console/runs?errorCode=NONE`);
    await page.getByText('No runs match').waitFor();
    await page.getByText('Saved views').click();
    await page.getByRole('button', { name: 'Nights', exact: true }).click();
    await rows.getByText('{"text": "the sea at night"}').waitFor();
    expect(await findings(page)).toEqual([]);

    const datasetId = await console.make('/v1/datasets', { name: 'Nights' });
    await page.getByRole('checkbox', { name: `Choose run ${second.slice(-12)}` }).check();
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Take the outputs as expected').check();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add to dataset' }).click();
    await dialog.getByText('1 added, 0 changed.').waitFor();
    await dialog.getByRole('link', { name: 'Open the dataset' }).click();
    await page.waitForURL(`**/datasets/${datasetId}`);
    await page.getByText('the sea at night').first().waitFor();

    await page.goto(`${url}/console/runs?tag=by%20hand`);
    await page.getByRole('checkbox', { name: `Choose run ${retried.slice(-12)}` }).check();
    await page.getByRole('button', { name: 'Retry 1' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await until(async () => (await rows.count()) === 2, { what: 'the new run' });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the input of a run, its nodes, its trace and the run before', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await setup.db.query('update runs set traceparent = $2 where id = $1', [second, `00-${trace}-b7ad6b7169203331-01`]);
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${url}/console/runs/${second}`);
    await page.getByLabel('Input', { exact: true }).filter({ hasText: 'the sea at night' }).waitFor();
    expect(await page.getByRole('link', { name: trace }).getAttribute('href')).toBe(`https://traces.example/${trace}`);
    await page.getByRole('button', { name: 'take' }).last().click();
    await page.getByLabel('take Output').filter({ hasText: 'the sea at night' }).waitFor();
    await page.getByRole('heading', { name: /^Repeat / }).waitFor();
    expect(await page.locator('.event-row time').first().innerText()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
    await page.getByText('Request and answer as JSON').click();
    await page.getByLabel('Request', { exact: true }).filter({ hasText: '"text": "the sea at night"' }).waitFor();
    await page.getByLabel('Answer', { exact: true }).filter({ hasText: '"status": "succeeded"' }).waitFor();
    await page.getByRole('link', { name: 'Edit and run again' }).click();
    await until(
      async () => (await page.getByLabel('Inputs (JSON)').first().inputValue()).includes('the sea at night'),
      {
        what: 'the inputs of the run',
      },
    );
    await page.goBack();
    const before = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'The run before' }) });
    await before.getByRole('link', { name: 'Compare' }).click();
    await page.waitForURL(`**/runs/compare?a=${first}&b=${second}`);
    await page.goto(`${url}/console/runs/${second}`);
    await page.getByRole('button', { name: 'Run again', exact: true }).click();
    await page.waitForURL((address) => !address.pathname.endsWith(second));
    await page.getByLabel('Input', { exact: true }).filter({ hasText: 'the sea at night' }).waitFor();
    await page.locator('.tree-row', { hasText: 'give' }).getByText('succeeded').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the webhook deliveries of a run as they go on, with their attempts', async () => {
    receiverStatus = 500;
    const { page, context, faults } = await console.signedIn();
    const runId = await setup.accepted({ script: { delayMs: 5000 } });
    await page.goto(`${url}/console/runs/${runId}`);
    await page.getByText('They begin when the run ends.').waitFor();
    const deliveries = page.getByRole('region', { name: 'Webhook deliveries' });
    const delivery = deliveries.getByRole('row').filter({ hasText: receiverUrl });
    await delivery.filter({ hasText: 'pending' }).filter({ hasText: '500' }).waitFor();
    expect(await delivery.textContent()).toContain('run.completed');
    await delivery.getByRole('button', { name: 'Attempts' }).click();
    const attempts = page.getByRole('region', { name: 'Attempts' });
    await attempts.getByText('no space is left').first().waitFor();
    await attempts.getByText('Request', { exact: true }).click();
    await attempts
      .getByLabel('Request body')
      .filter({ hasText: `"runId": "${runId}"` })
      .waitFor();
    expect(await attempts.getByLabel('Request headers').textContent()).toContain('X-Service-Event-Id: ');
    receiverStatus = 200;
    await attempts.getByRole('button', { name: 'Send again' }).click();
    await delivery.filter({ hasText: 'delivered' }).filter({ hasText: '200' }).waitFor();
    await attempts.getByText('stored', { exact: true }).waitFor();
    await delivery.getByRole('link').click();
    await page.waitForURL(`**/webhooks/${endpointId}`);
    await setup.db.query(`update webhook_endpoints set disabled_at = now(), disabled_reason = 'owner'`);
    await page.goto(`${url}/console/runs/${await failed('without deliveries')}`);
    await page.getByText('No webhook was called').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('retries all failed runs that the filters match, and shows the retry at its run', async () => {
    const runId = await failed('again');
    const other = await failed('other');
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${url}/console/runs?tag=again`);
    await page.getByRole('button', { name: 'Retry failed runs' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
    await page.getByRole('status').filter({ hasText: 'Retried 1 / 1' }).waitFor();
    await page.goto(`${url}/console/runs/${runId}`);
    await page.getByRole('rowheader', { name: 'Retry' }).waitFor();
    await page.getByRole('region', { name: 'Log' }).getByText('no answer').waitFor();
    await page.goto(`${url}/console/runs/${other}`);
    await page.getByRole('rowheader', { name: 'The run before' }).waitFor();
    expect(await page.getByRole('rowheader', { name: 'Retry' }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('scrolls through a run of ten thousand nodes with few of them in the page', async () => {
    const [{ id } = { id: '' }] = await setup.db.query<{ id: string }[]>(
      `insert into runs
       select copy.*
         from runs r,
              lateral jsonb_populate_record(null::runs, to_jsonb(r) || jsonb_build_object(
                'id', uuidv7(), 'last_sequence', 20001)) copy
        where r.id = $1 returning id`,
      [first],
    );
    await setup.db.query(
      `insert into run_events (run_id, sequence, type, payload)
       select $1::uuid, 2 * n + part, case part when 1 then 'node.started' else 'node.succeeded' end,
              jsonb_build_object('nodeId', 'each', 'nodeKey', 'each[' || n || ']') || case part when 1 then '{"attempt":1}' else '{}'::jsonb end
         from generate_series(0, 9999) n, generate_series(1, 2) part
       union all select $1::uuid, 20001, 'run.succeeded', '{"latencyMs":1,"creditCost":0}'`,
      [id],
    );
    await setup.db.query(
      `insert into node_results (run_id, node_key, node_id, type, status, queued_at, started_at, completed_at, output)
       select $1, 'each[' || n || ']', 'each', 'transform', 'succeeded', now(), now(), now(), to_jsonb(n)
         from generate_series(0, 9999) n`,
      [id],
    );
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${url}/console/runs/${id}`);
    const end = async (region: Locator): Promise<void> => {
      await region.focus();
      await region.press('End');
    };
    /** Goes to the end again until it is there, since events go on arriving. */
    const endWith = (region: Locator, text: string): Promise<unknown> =>
      until(async () => {
        await end(region);
        return region.getByText(text).isVisible();
      });
    const events = page.getByRole('region', { name: 'Events' });
    await endWith(events, '20001');
    expect(await page.locator('.event-row').count()).toBeLessThan(100);
    const results = page.getByRole('region', { name: 'Timeline', exact: true });
    await end(results);
    const height = `document.querySelector('[aria-label="Timeline"]').scrollHeight`;
    await until(async () => (await page.evaluate<number>(height)) > 150 * 34, { what: 'the second page of nodes' });
    expect(await page.locator('.tree-row').count()).toBeLessThan(100);
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2500);
    expect(faults).toEqual([]);
    await setup.db.query('delete from runs where id = $1', [id]);
    await context.close();
  });

  it('says that it loads on a slow network, and then shows the data', async () => {
    const { page, context, faults } = await console.signedIn();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 60_000,
      uploadThroughput: 30_000,
    });
    await page.getByRole('button', { name: 'Last month' }).click();
    await page.getByRole('status').filter({ hasText: 'Loading…' }).first().waitFor();
    await page.locator('.run-row').first().waitFor();
    await page.getByRole('img', { name: /^Runs: \d/ }).waitFor();
    await page.locator('.run-link').first().click();
    await page.getByRole('status').filter({ hasText: 'Loading…' }).first().waitFor();
    await page.getByRole('heading', { name: 'Facts' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('says what is wrong when a run of a comparison does not exist', async () => {
    const { page, context } = await console.signedIn();
    await page.goto(`${url}/console/runs/compare?a=${first}&b=${workflowId}`);
    expect(await page.getByRole('alert').textContent()).toContain('does not exist');
    await context.close();
  });

  it('shows operators the runs of all accounts over time, and those that wait or failed', async () => {
    const runId = await failed('for operators');
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${url}/console/operator`);
    await page.getByRole('img', { name: /^Runs: [1-9]/ }).waitFor();
    await page.getByRole('button', { name: 'Failed, last hour' }).click();
    // Panels that load later move the list away from a pointer.
    await page.getByRole('link', { name: runId }).press('Enter');
    await page.getByRole('heading', { name: runId.slice(-12) }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows operators the cooldown of a model, and retries failed runs of all accounts once', async () => {
    const script = { fail: 'overloaded', failKind: 'unavailable' };
    const runId = await setup.accepted({ script });
    await until(async () => (await setup.statusOf(runId)) === 'failed', { what: 'the failure' });
    const { page, context, faults } = await console.signedIn(phone);
    await page.goto(`${url}/console/operator`);
    const cooldowns = page.getByRole('region', { name: 'Cooldowns of providers' });
    await cooldowns.getByRole('row').filter({ hasText: 'offline/' }).getByText('unavailable').waitFor();

    await page.getByText('Retry failed runs of all accounts').click();
    await page.getByRole('button', { name: 'Count the runs' }).click();
    const group = page.getByRole('row').filter({ hasText: 'PROVIDER_UNAVAILABLE' });
    await group.getByRole('button', { name: 'Only these' }).click();
    await page.getByText('Runs that can be retried: 1').waitFor();
    expect(await page.getByLabel('Error code').inputValue()).toBe('PROVIDER_UNAVAILABLE');
    expect([await overflow(page), await findings(page)]).toEqual([0, []]);
    await page.getByRole('button', { name: 'Retry the newest' }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText('Retried: 1 / 1').waitFor();
    await page.getByText('Runs that can be retried: 0').waitFor();
    const retries = await setup.call('GET', `/v1/runs?parentRunId=${runId}`);
    expect(retries.body.data).toHaveLength(1);

    await page.goto(`${url}/console/account?tab=audit`);
    await page.getByText('runs.retried').waitFor();
    await page.goto(`${url}/console/runs/${runId}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.locator('.tree-row', { hasText: 'Attempt 1' }).getByText('retried').waitFor();
    await timeline
      .getByRole('button', { name: /^Attempt/ })
      .last()
      .click();
    await page
      .getByRole('region', { name: /^Attempt/ })
      .getByText('PROVIDER_UNAVAILABLE')
      .waitFor();
    await page.getByText('Messages of the lens').click();
    await page.getByLabel('user', { exact: true }).getByText('overloaded').waitFor();
    expect([await overflow(page), await findings(page)]).toEqual([0, []]);
    expect(faults).toEqual([]);
    await context.close();
  });
});
