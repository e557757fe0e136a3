import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** Starts a Chromium for the first test file that asks, and gives its address to all. */
async function openBrowserStarter() {
  let started;
  let browser;
  const launch = async (options) => {
    const { chromium } = await import('playwright-core');
    browser = await chromium.launchServer(options);
    browser.once('close', () => (started = undefined));
    return browser.wsEndpoint();
  };
  const server = createServer(async (request, response) => {
    try {
      const options = await json(request);
      started ??= launch(options);
      response.end(await started);
    } catch (error) {
      started = undefined;
      response.writeHead(500).end(String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    get pid() {
      return browser?.process().pid;
    },
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      server.close();
      await started?.catch(() => undefined);
      await browser?.close();
    },
  };
}

/** Test files of all workers share one browser, with contexts of their own. */
export default async function startBrowser() {
  if (globalThis.lensforgeTestBrowser) return;
  globalThis.lensforgeTestBrowser = await openBrowserStarter();
  process.env.TEST_BROWSER = globalThis.lensforgeTestBrowser.url;
}
