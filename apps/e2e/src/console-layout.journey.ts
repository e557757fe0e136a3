import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { colorRules, findings, layoutFaults } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop } from './console-browser.js';

/** Words that no line has space for, as users give them. */
const long = 'Donaudampfschifffahrtsgesellschaftskapitänswitwe'.repeat(3).slice(0, 120);

const windows = [
  { name: 'wide', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 320, height: 640, colorScheme: 'light' },
] as const;

/** The rules of axe for a window: in the dark only colors differ, and a phone has the elements of the wide page. */
const findingsIn = {
  wide: (page: Page) => findings(page),
  dark: (page: Page) => findings(page, colorRules),
  phone: () => [],
} as const;

/** A folder for pictures of every page, or none. */
const folder = process.env['LENSFORGE_SCREENS'];

describeInBrowser(process.env, 'the layout of the console', () => {
  let console: ConsoleBrowser;
  const pages = new Map<string, string>();

  const make: ConsoleBrowser['make'] = async (path, body) => console.make(path, body);
  const call = async (method: string, path: string, body?: Record<string, unknown>) => {
    const token = console.setup.platform.tokens['session'] ?? '';
    const reply = await console.setup.call(method, path, { token, ...(body && { body }) });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data ?? {};
  };
  const ended = (path: string): Promise<unknown> =>
    until(async () => typeof (await call('GET', path))['completedAt'] === 'string', { what: `the end of ${path}` });
  const idOf = async (sql: string): Promise<string> => {
    const [row] = await console.setup.db.query<{ id: string }[]>(sql);
    if (!row) throw new Error(`nothing found by ${sql}`);
    return row.id;
  };

  /** Objects whose names and values are longer than any page is wide. */
  async function makeLongObjects(): Promise<void> {
    const templateBody = `Tell about [[${long.slice(0, 60)}]] in ${long} words and say nothing else.`;
    const lensId = await make('/v1/lenses', { title: long, description: `${long} ${long}`, templateBody });
    pages.set('lens', `lenses/${lensId}`);
    const graph = {
      nodes: [
        { id: 'a'.repeat(60), type: 'transform', settings: { expression: `'${long}'` } },
        { id: 'ask', type: 'approval', settings: { message: long } },
        { id: 'lens', type: 'lens', settings: { lensId, params: { [long.slice(0, 60)]: long } } },
      ],
      edges: [
        { from: 'a'.repeat(60), to: 'lens', when: `'${long}' == '${long}'` },
        { from: 'a'.repeat(60), to: 'ask' },
      ],
      outputs: { [long.slice(0, 60)]: 'nodes.lens.output' },
    };
    const workflowId = await make('/v1/workflows', { title: long, description: long, graph });
    pages.set('workflow', `workflows/${workflowId}`);
    const workflowRun = String((await call('POST', `/v1/workflows/${workflowId}/run`, { inputs: {} }))['runId']);
    pages.set('waiting run', `runs/${workflowRun}`);
    const ran = await call('POST', `/v1/lenses/${lensId}/execute`, {
      params: { [long.slice(0, 60)]: long },
      tags: [long.slice(0, 50)],
    });
    pages.set('run', `runs/${String(ran['runId'])}`);
    const failing = await console.setup.accepted({ script: { fail: `${long} ${long}`, failKind: 'refused' } });
    pages.set('failed run', `runs/${failing}`);
    const datasetId = await make('/v1/datasets', { name: long, description: long });
    pages.set('dataset', `datasets/${datasetId}`);
    await call('POST', `/v1/datasets/${datasetId}/cases`, {
      save: ['one', 'two'].map((key) => ({
        key: `${key}-${long.slice(0, 50).replaceAll('ä', 'a')}`,
        params: { [long.slice(0, 60)]: long },
        expected: long,
      })),
    });
    const experimentId = await make('/v1/experiments', {
      name: long,
      target: { lensId },
      dataset: { id: datasetId },
      arms: [
        { name: 'as-it-stands' },
        { name: 'b'.repeat(50), candidate: { templateBody: `${templateBody} Please.` } },
      ],
      baseline: 'as-it-stands',
      scorers: [{ name: 'words', kind: 'check', assertions: [{ type: 'word-count', value: { max: 4 } }] }],
      gate: { rules: [{ scorer: 'words', min: 0.9 }] },
    });
    pages.set('experiment', `experiments/${experimentId}`);
    const endpointId = await make('/v1/webhook-endpoints', {
      url: `https://receiver.example.com/${long.replaceAll('ä', 'a')}`,
      description: long,
      events: ['run.completed'],
    });
    pages.set('webhook', `webhooks/${endpointId}`);
    const threadId = await make('/v1/threads', { title: long });
    await make(`/v1/threads/${threadId}/messages`, { text: long });
    pages.set('thread', `threads/${threadId}`);
    await make(`/v1/workflows/${workflowId}/schedules`, { cron: '0 5 1 1 *', title: long });
    await ended(`/v1/runs/${String(ran['runId'])}`);
    await ended(`/v1/runs/${failing}`);
    await ended(`/v1/experiments/${experimentId}`);
  }

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env, { samples: true });
    pages.set('home', '');
    for (const name of [
      'runs',
      'lenses',
      'workflows',
      'datasets',
      'experiments',
      'reviews',
      'schedules',
      'approvals',
      'battles',
      'agents',
      'threads',
      'webhooks',
      'operator',
    ])
      pages.set(name, name);
    for (const tab of ['profile', 'sessions', 'communities', 'tokens', 'keys', 'credits', 'audit'])
      pages.set(`account ${tab}`, `account?tab=${tab}`);
    pages
      .set('new lens', 'lenses/new')
      .set('new battle', 'battles/new')
      .set('vote', 'battles/vote')
      .set('compare', 'runs/compare');
    await makeLongObjects();
    pages.set('battle', `battles/${await idOf("select id from battles where status = 'archived' limit 1")}`);
    pages.set('AI lenser', `agents/${await idOf('select account_id as id from ai_lensers limit 1')}`);
  });
  afterAll(async () => {
    await console.close();
  });

  /** Waits until a page has its data: nothing loads, and its text stays as it is. */
  const settled = async (page: Page): Promise<void> => {
    let last = '';
    const isSettled = async (): Promise<boolean> => {
      const text = await page.evaluate<string>('document.body.innerText');
      const isSame = text === last && !text.includes('Loading…');
      last = text;
      return isSame;
    };
    await until(isSettled, { every: 150, what: `all of ${page.url()}` });
  };

  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${console.url}/console/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
  };
  const record = async (page: Page, name: string): Promise<void> => {
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`), fullPage: true });
  };

  it('holds on every page: wide, in the dark, on a phone and with large text', async () => {
    const { page, context } = await console.signedIn(desktop);
    const setTextSize = (size: string): Promise<unknown> =>
      page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
    const faults: string[] = [];
    for (const [what, path] of pages) {
      await page.setViewportSize(desktop.viewport);
      await open(page, path);
      for (const { name, width, height, colorScheme } of windows) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await settled(page);
        await record(page, `${what} ${name}`);
        const found = [...(await layoutFaults(page)), ...(await findingsIn[name](page))];
        faults.push(...found.map((fault) => `${what}, ${name}: ${fault}`));
      }
      await setTextSize('200%');
      await page.setViewportSize(desktop.viewport);
      await settled(page);
      await record(page, `${what} large text`);
      faults.push(...(await layoutFaults(page)).map((fault) => `${what}, large text: ${fault}`));
      await setTextSize('');
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it('holds without data, while data loads, and when it cannot be read', async () => {
    const { page, context } = await console.signedIn(desktop);
    const faults: string[] = [];
    const check = async (what: string): Promise<void> => {
      for (const { name, width, height } of [windows[0], windows[2]]) {
        await page.setViewportSize({ width, height });
        await record(page, `${what} ${name}`);
        faults.push(...(await layoutFaults(page)).map((fault) => `${what}, ${name}: ${fault}`));
      }
    };
    /** Without the account the console does not start at all. */
    const data = (address: URL): boolean => address.pathname.startsWith('/v1/') && address.pathname !== '/v1/me';
    const error = { code: 'service_unavailable', message: 'The database cannot be reached', details: {} };
    for (const [what, path] of [...pages].filter(([, each]) => !each.includes('/') && each !== 'operator')) {
      await page.setViewportSize(desktop.viewport);
      await page.route(data, async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data?: unknown };
        return route.fulfill({ response, json: Array.isArray(body.data) ? { ...body, data: [] } : body });
      });
      await open(page, path);
      await check(`${what} empty`);
      faults.push(...(await findings(page)).map((fault) => `${what} empty: ${fault}`));
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.route(data, () => undefined);
      await page.goto(`${console.url}/console/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await check(`${what} loading`);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.route(data, (route) => route.fulfill({ status: 409, json: { error } }));
      await open(page, path);
      await check(`${what} error`);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
