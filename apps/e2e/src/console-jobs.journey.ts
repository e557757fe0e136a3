import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { findings } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop } from './console-browser.js';

interface Effort {
  /** Presses of buttons, links and rows. */
  presses: number;
  /** Fields that are written or chosen. */
  fields: number;
}

describeInBrowser(process.env, 'a job in the console', () => {
  let console: ConsoleBrowser;
  let page: Page;
  let faults: string[];
  let effort: Effort;
  const told: string[] = [];

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    ({ page, faults } = await console.signedIn(desktop));
  });
  afterAll(async () => {
    process.stdout.write(`jobs in the console: ${told.join('; ')}\n`);
    await console.close();
  });

  const call = async (method: string, path: string, body?: Record<string, unknown>) =>
    console.setup.call(method, path, { token: console.setup.platform.tokens['session'] ?? '', ...(body && { body }) });
  const press = async (target: Locator): Promise<void> => {
    effort.presses += 1;
    await target.click();
  };
  const pressButton = (name: string | RegExp): Promise<void> => press(page.getByRole('button', { name, exact: true }));
  const write = async (target: Locator, text: string): Promise<void> => {
    effort.fields += 1;
    await target.fill(text);
  };
  const choose = async (target: Locator, option: string): Promise<void> => {
    effort.fields += 1;
    await target.selectOption(option);
  };
  const goTo = async (view: string): Promise<void> =>
    press(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view, exact: true }));

  /** Does a job from the first view on, with as many presses and fields as it needs; its time is printed. */
  const job = (name: string, needs: Effort, work: () => Promise<void>): void => {
    it(`${name} in ${needs.presses} presses`, async () => {
      await page.goto(`${console.url}/console/`);
      await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
      effort = { presses: 0, fields: 0 };
      const since = performance.now();
      await work();
      const seconds = ((performance.now() - since) / 1000).toFixed(1);
      told.push(`${name}: ${effort.presses} presses, ${effort.fields} fields, ${seconds} s`);
      expect(effort).toEqual(needs);
      expect(await findings(page)).toEqual([]);
      expect(faults).toEqual([]);
    });
  };

  job('changes a prompt, sees it beside the released one, and releases it', { presses: 6, fields: 4 }, async () => {
    const templateBody = 'Write one plain sentence about the topic [[Topic]] and say nothing else.';
    const lensId = await console.make('/v1/lenses', { title: 'Sentences', templateBody });
    await call('PUT', `/v1/lenses/${lensId}/labels/production`, { version: '1.0.0' });
    await goTo('Lenses');
    await press(page.getByRole('link', { name: 'Sentences', exact: true }));
    await write(
      page.getByLabel('Template', { exact: true }),
      'Write **two** sentences about the topic [[Topic]], no more.',
    );
    await pressButton('Add a column');
    await choose(page.getByRole('group', { name: 'Column 2' }).getByLabel('Version'), 'production');
    await write(page.getByRole('textbox', { name: 'Topic' }), 'the sea');
    await pressButton('Run');
    for (const text of [
      /two sentences about the topic the sea|two\*\* sentences about the topic the sea/,
      /one plain sentence about the topic the sea/,
    ])
      await page.getByLabel('Output').filter({ hasText: text }).waitFor();
    await pressButton('Save');
    await page.getByText('Saved as version 1.0.1').waitFor();
    const labels = page.locator('section', { has: page.getByRole('heading', { name: 'Labels' }) });
    const row = labels.getByRole('row').filter({ hasText: 'production' }).first();
    await choose(row.getByLabel('Version that production moves to'), '1.0.1');
    await press(row.getByRole('button', { name: 'Move', exact: true }));
    await row.getByText('1.0.1', { exact: true }).first().waitFor();
    expect((await call('GET', `/v1/lenses/${lensId}/versions/production`)).body.data).toMatchObject({
      semver: '1.0.1',
    });
  });

  job('adds a node to a workflow, tries it alone, and runs all unsaved', { presses: 7, fields: 2 }, async () => {
    const nodes = ['begin', 'end'].map((id) => ({ id, type: 'transform', settings: { expression: 'inputs' } }));
    const edges = [{ from: 'begin', to: 'end' }];
    const workflowId = await console.make('/v1/workflows', { title: 'Chain', graph: { nodes, edges } });
    await call('POST', `/v1/workflows/${workflowId}/run`, { inputs: { text: 'the sea' } });
    await until(async () => (await call('GET', `/v1/workflows/${workflowId}/runs`)).body.data?.['length'] !== 0);
    await goTo('Workflows');
    await press(page.getByRole('link', { name: 'Chain', exact: true }));
    await pressButton('Insert a node between begin and end');
    await pressButton(/^transform/);
    await write(page.getByLabel('Expression', { exact: true }), 'size(nodes.begin.output.text)');
    await press(page.getByText('Try this node'));
    await pressButton('Try');
    await page.getByRole('region', { name: 'transform1', exact: true }).getByText('7', { exact: true }).waitFor();
    await write(page.getByLabel('Inputs (JSON)').first(), '{"text": "the lake"}');
    await pressButton('Run without saving');
    await page.locator('.facts .status.good').waitFor();
    await page.getByRole('button', { name: 'transform1', exact: true }).last().waitFor();
  });

  job('finds why a run failed, mends its workflow, and retries from there', { presses: 6, fields: 1 }, async () => {
    const graph = {
      nodes: [
        { id: 'begin', type: 'transform', settings: { expression: "'kept'" } },
        { id: 'end', type: 'transform', settings: { expression: 'fail("not yet")' } },
      ],
      edges: [{ from: 'begin', to: 'end' }],
      outputs: { text: 'nodes.end.output' },
    };
    const workflowId = await console.make('/v1/workflows', { title: 'Broken', graph });
    const { body } = await call('POST', `/v1/workflows/${workflowId}/run`, { inputs: {} });
    const runId = String(body.data?.['runId']);
    await until(async () => (await console.setup.statusOf(runId)) === 'failed', { what: 'the failure' });
    await page.reload();
    await press(page.getByRole('link', { name: /^Broken/ }).first());
    // The node that failed is open.
    await page.getByRole('region', { name: 'end', exact: true }).getByText('not yet').waitFor();
    await page.getByRole('button', { name: 'Retry from here', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Retry from here with/ }).count()).toBe(0);
    await press(page.getByRole('link', { name: 'Edit and run again' }));
    await press(page.locator('.graph-node', { hasText: 'end' }));
    await write(page.getByLabel('Expression', { exact: true }), "nodes.begin.output + '!'");
    await pressButton('Save version');
    await until(() => page.getByRole('button', { name: 'Save version' }).isDisabled(), { what: 'the saved version' });
    effort.presses += 1;
    await page.goBack();
    await pressButton('Retry from here with version 2');
    await page.getByText('kept!').first().waitFor();
  });

  job('compares a draft with the newest version over a dataset', { presses: 7, fields: 3 }, async () => {
    const templateBody = 'Write one plain sentence about [[Topic]] and say nothing else, please.';
    await console.make('/v1/lenses', { title: 'Topics', templateBody });
    const datasetId = await console.make('/v1/datasets', { name: 'Places' });
    const save = ['sea', 'hill'].map((key) => ({ key, params: { Topic: `the ${key}` }, expected: key }));
    await call('POST', `/v1/datasets/${datasetId}/cases`, { save });
    await page.reload();
    await goTo('Lenses');
    await press(page.getByRole('link', { name: 'Topics', exact: true }));
    await write(
      page.getByLabel('Template', { exact: true }),
      'Write ten sentences about [[Topic]], and then ten more.',
    );
    await pressButton('Add a column');
    await choose(page.getByRole('group', { name: 'Column 2' }).getByLabel('Version'), '1.0.0');
    await press(page.getByText('Run over a dataset'));
    await write(page.getByRole('combobox', { name: 'Dataset', exact: true }), 'Plac');
    await press(page.getByRole('option', { name: 'Places' }));
    await pressButton('Run all cases');
    await page.getByText('4 of 4 answers').waitFor();
    await page.getByRole('listitem').filter({ hasText: '2 1.0.0' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: '1 Draft, not saved' }).getByText('candidate').waitFor();
    await pressButton('sea');
    const opened = page.getByRole('region', { name: 'sea', exact: true });
    for (const text of ['ten sentences about the sea', 'one plain sentence about the sea'])
      await opened.getByText(text).waitFor();
  });
});
