import { setTimeout as pause } from 'node:timers/promises';
import { findChromium, openBrowser } from '@lensforge/testing';
import type { Page } from 'playwright-core';
import { percentile } from '../report/percentile.js';
import type { Row, Unit } from '../report/row.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { callApi } from '../setup/call-api.js';
import { finding } from './measured.js';
import type { Measure } from './part.js';
import { storeRuns } from './stored.js';

const storedRuns = 10_000;
const nodes = 300;
const templateLength = 99_000;
const listMs = 60_000;
const dragSteps = 150;

/** The time from a key or a press until the console has changed its page, in Chromium on this machine. */
export const measureConsole: Measure = async (setup, { rounds }) => {
  const executable = findChromium(process.env);
  if (executable === undefined)
    throw new Error('The console is measured in Chromium: install chromium-headless-shell, or set CHROMIUM_PATH.');
  const targets = await prepare(setup);
  const browser = await openBrowser(executable);
  try {
    const page = await signIn(setup, await browser.newPage({ viewport: { width: 1280, height: 900 } }));
    const found: Figures[] = [];
    for (let round = 0; round < rounds; round += 1) found.push(await measureOnce(page, targets));
    return figures.map(({ name, unit, target, key }): Row => ({
      group: `The console with ${storedRuns} runs, ${nodes} nodes and a template of ${templateLength} characters`,
      name,
      unit,
      ...(target && { target: { of: 'ours', ...target } }),
      ours: found.map((figure) => finding(figure[key])),
    }));
  } finally {
    await browser.close();
  }
};

interface Figures {
  runs: number;
  template: number;
  graph: number;
  slowest: number;
  frames: number;
  growth: number;
}

const figures: { key: keyof Figures; name: string; unit: Unit; target?: { least?: number; most?: number } }[] = [
  { key: 'runs', name: 'list of runs: presses and keys, p75', unit: 'ms', target: { most: 100 } },
  { key: 'template', name: 'template: keys, p75', unit: 'ms', target: { most: 100 } },
  { key: 'graph', name: 'graph: presses and keys, p75', unit: 'ms', target: { most: 100 } },
  { key: 'slowest', name: 'all of them, p98', unit: 'ms', target: { most: 200 } },
  { key: 'frames', name: 'graph: frames while it is moved', unit: '/s', target: { least: 55 } },
  { key: 'growth', name: 'memory of a live list, growth a minute', unit: 'MB', target: { most: 0.5 } },
];

interface Targets {
  url: string;
  lensId: string;
  workflowId: string;
}

async function prepare(setup: BenchPlatform): Promise<Targets> {
  const { platform } = setup;
  const line = 'Answer in plain words, as you would to a friend who asks you. ';
  const lens = await callApi<{ id: string }>(platform, 'POST', '/v1/lenses', {
    title: 'Long',
    templateBody: `Write about [[Topic]].\n${`${line}\n`.repeat(templateLength / (line.length + 1))}`,
  });
  const workflow = await callApi<{ id: string }>(platform, 'POST', '/v1/workflows', { title: 'Wide' });
  const all = Array.from({ length: nodes }, (_, n) => ({
    id: `n${n}`,
    type: 'transform',
    settings: { expression: 'inputs' },
  }));
  // Chains of ten nodes, side by side.
  const edges = all.flatMap(({ id }, n) => (n % 10 === 0 ? [] : [{ from: `n${n - 1}`, to: id }]));
  await callApi(platform, 'PUT', `/v1/workflows/${workflow.id}/graph`, { graph: { nodes: all, edges } });
  const { account } = await callApi<{ account: { id: string } }>(platform, 'GET', '/v1/me');
  await storeRuns(setup, account.id, storedRuns);
  return { url: `${platform.urlOf('api-gateway')}/console`, lensId: lens.id, workflowId: workflow.id };
}

/** The durations of the interactions of a page; Chromium tells those of 16 ms and more. */
const observe = `
  globalThis.interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

async function signIn({ platform }: BenchPlatform, page: Page): Promise<Page> {
  const [, user] = platform.users;
  await page.addInitScript(observe);
  await page.goto(`${platform.urlOf('api-gateway')}/console/runs`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.fill('[name=email]', user?.email ?? '');
  await page.fill('[name=password]', user?.password ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  return page;
}

/** Presses and types, and returns how long each took until the next frame. */
async function timeInteractions(page: Page, count: number, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate('interactions.clear()');
  await act();
  await pause(500);
  const told = await page.evaluate<number[]>('[...interactions.values()]');
  // Chromium leaves out interactions of less than 16 ms.
  return [...told, ...Array.from({ length: Math.max(0, count - told.length) }, () => 8)];
}

async function measureOnce(page: Page, { url, lensId, workflowId }: Targets): Promise<Figures> {
  const runs = await measureRunList(page, url);
  const growth = await measureGrowth(page);
  await page.goto(`${url}/lenses/${lensId}`);
  const template = page.getByRole('textbox', { name: 'Template', exact: true });
  await template.click();
  await page.keyboard.press('Control+End');
  const keys = await timeInteractions(page, 60, () =>
    page.keyboard.type('and then say what you think of it'.repeat(2).slice(0, 60), { delay: 60 }),
  );
  const { graph, frames } = await measureGraph(page, `${url}/workflows/${workflowId}`);
  const p = (share: number, values: readonly number[]): number =>
    percentile(
      [...values].sort((a, b) => a - b),
      share,
    );
  return {
    runs: p(0.75, runs),
    template: p(0.75, keys),
    graph: p(0.75, graph),
    slowest: p(0.98, [...runs, ...keys, ...graph]),
    frames,
    growth,
  };
}

async function measureRunList(page: Page, url: string): Promise<number[]> {
  await page.goto(`${url}/runs`);
  const rows = page.getByRole('region', { name: 'Runs', exact: true });
  await rows.getByRole('link').first().waitFor();
  return timeInteractions(page, 50, async () => {
    const search = page.getByLabel('Text in input or output');
    await search.click();
    await page.keyboard.type('ada and others', { delay: 80 });
    await search.fill('');
    await rows.getByRole('checkbox').nth(3).waitFor();
    for (let n = 0; n < 8; n += 1) await rows.getByRole('checkbox').nth(n).click();
    for (let n = 0; n < 10; n += 1) {
      await rows.press('PageDown');
      await pause(100);
    }
    for (let n = 0; n < 5; n += 1) {
      await rows.getByRole('link').nth(n).click();
      await page.getByRole('heading', { name: 'Output', exact: true }).first().waitFor();
      await page.goBack();
      await rows.getByRole('link').first().waitFor();
    }
  });
}

/** The memory that a list keeps which refreshes itself; in MB for each minute. */
async function measureGrowth(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const used = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  await pause(10_000);
  const before = await used();
  await pause(listMs);
  const after = await used();
  await session.detach();
  return Math.max(0, ((after - before) / 1e6) * (60_000 / listMs));
}

async function measureGraph(page: Page, address: string): Promise<{ graph: number[]; frames: number }> {
  await page.goto(address);
  await page
    .locator('.graph-node')
    .nth(nodes - 1)
    .waitFor({ state: 'attached' });
  const shown = page.locator('.graph-node').filter({ visible: true });
  const graph = await timeInteractions(page, 50, async () => {
    for (let n = 0; n < 15; n += 1) await shown.nth(n * 7).click({ force: true });
    const name = page.getByLabel('Name', { exact: true }).first();
    await name.click();
    await page.keyboard.type('The name of a node', { delay: 80 });
    for (let n = 0; n < 5; n += 1) await page.getByRole('button', { name: 'Undo', exact: true }).click();
  });
  const box = await page.locator('.react-flow__pane').boundingBox();
  if (!box) throw new Error('the page shows no graph');
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.evaluate(
    'globalThis.frames = 0; globalThis.counts = true; (function count() { frames += 1; if (counts) requestAnimationFrame(count); })()',
  );
  const since = performance.now();
  for (let step = 0; step < dragSteps; step += 1) {
    await page.mouse.move(box.x + step, box.y + step / 2);
    await pause(10);
  }
  const seconds = (performance.now() - since) / 1000;
  const counted = await page.evaluate<number>('counts = false, frames');
  await page.mouse.up();
  return { graph, frames: counted / seconds };
}
