import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings } from './browser-page.js';
import { ConsoleBrowser, describeInBrowser, desktop } from './console-browser.js';

const script = `<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>`;

describeInBrowser(process.env, 'the account and webhooks in the console', () => {
  let console: ConsoleBrowser;
  let receiver: Server;
  let received = 0;

  beforeAll(async () => {
    console = await ConsoleBrowser.open(process.env);
    receiver = createServer((request, response) => {
      received += 1;
      request.resume();
      response.writeHead(500, { 'content-type': 'text/html' }).end(script);
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    receiver.close();
    await console.close();
  });

  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
  const confirm = (page: Page): Promise<void> => page.getByRole('button', { name: 'Yes' }).click();

  it('makes a developer token that is shown once and works until it is revoked', async () => {
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${console.url}/console/account?tab=tokens`);
    await page.getByText('New token').click();
    await page.getByLabel('Label', { exact: true }).fill('nightly import');
    await page.getByRole('button', { name: 'Create the token' }).click();
    const token = await page.getByText(/^lf_dev_[0-9a-f]{64}$/).textContent();
    const status = async (): Promise<number> =>
      (await console.setup.call('GET', '/v1/lenses', { token: token ?? '' })).status;
    expect(await status()).toBe(200);
    await page.reload();
    await row(page, 'nightly import').getByText('1 scope').click();
    expect(await row(page, 'nightly import').textContent()).toContain(
      'read lenses and run them, which can cost credits',
    );
    expect(await page.getByText(token ?? '').count()).toBe(0);
    await row(page, 'nightly import').getByRole('button', { name: 'Revoke' }).click();
    await confirm(page);
    await row(page, 'nightly import').waitFor({ state: 'hidden' });
    expect(await status()).toBe(401);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('sends a test, and shows a hostile response as text', async () => {
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/${encodeURIComponent(script)}`;
    const endpointId = await console.make('/v1/webhook-endpoints', {
      url,
      events: ['run.completed'],
      description: script,
    });
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${console.url}/console/webhooks/${endpointId}`);
    await page.getByText('Send a test').click();
    await page.getByRole('button', { name: 'Send it' }).click();
    await until(() => received > 0, { what: 'the test' });
    await page.locator('summary', { hasText: 'webhook.test' }).filter({ hasText: '500' }).click();
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.evaluate('document.querySelectorAll("main img, main script").length')).toBe(0);
    expect(await page.title()).not.toBe('broken');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('changes an endpoint, and deletes it', async () => {
    const body = { url: 'https://example.com/first', events: ['run.completed'] };
    const endpointId = await console.make('/v1/webhook-endpoints', body);
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${console.url}/console/webhooks/${endpointId}`);
    await page.getByText('Change the address or the events').click();
    await page.getByLabel('Address (https)').fill('https://example.com/second');
    await page.getByRole('checkbox', { name: 'run.failed' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'https://example.com/second' }).waitFor();
    await page.getByText('run.completed, run.failed').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await confirm(page);
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.getByRole('heading', { name: 'New endpoint' }).waitFor();
    const told = page.getByRole('region', { name: 'What was done' });
    await told.getByText('The endpoint is deleted').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.getByText('https://example.com/second').count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('stores the key of an own endpoint with its models, and revokes it', async () => {
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${console.url}/console/account?tab=keys`);
    await page.getByLabel('Provider').selectOption('openai-compatible');
    await page.getByLabel('Address of the endpoint').fill('https://models.example/v1');
    await page.getByLabel('Models').fill('llama3.2, qwen3');
    await page.getByLabel('Label').fill('own');
    await page.getByLabel('Key', { exact: true }).fill('sk-a-long-secret');
    await page.getByRole('button', { name: 'Add key' }).click();
    await row(page, 'openai-compatible https://models.example/v1').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No provider keys').waitFor();
    expect(await page.getByText('sk-a-long').count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('invites a person, who joins by the link, and leaves', async () => {
    await console.make('/v1/communities', { handle: 'bakers', displayName: 'The bakers' });
    const owner = await console.signedIn();
    await owner.page.goto(`${console.url}/console/account?tab=communities`);
    await owner.page.getByLabel('Handle').fill('The Millers!');
    await owner.page.getByLabel('Name', { exact: true }).fill('The millers');
    await owner.page.getByRole('button', { name: 'Create' }).click();
    // The server refuses the handle, which its field says.
    const handle = owner.page.getByLabel('Handle').and(owner.page.locator('[aria-invalid=true]'));
    await handle.and(owner.page.locator(':focus')).waitFor();
    expect(owner.faults.splice(0).every((fault) => fault.includes('400'))).toBe(true);
    await owner.page.getByText('The bakers').click();
    await owner.page.getByRole('button', { name: 'Make an invite' }).click();
    await owner.page.getByText('Send it together with the address').waitFor();
    const [value, link] = await owner.page.locator('code').allTextContents();
    const guest = await console.signedIn(desktop, console.setup.platform.users[1]);
    await guest.page.goto(link ?? '');
    await guest.page.getByLabel('Value of the invite').fill(value ?? '');
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByText('The bakers').click();
    await guest.page.getByRole('button', { name: 'Leave the community' }).click();
    await guest.page.getByText('You no longer see what belongs to The bakers alone').waitFor();
    await confirm(guest.page);
    await guest.page.getByText('You are in no community').waitFor();
    expect([...owner.faults, ...guest.faults]).toEqual([]);
    await owner.context.close();
    await guest.context.close();
  });

  // The platform itself is the server that a person consents to.
  it('consents to an MCP server at its sign-in page, and reads its tools', async () => {
    const { page, context, faults } = await console.signedIn();
    const url = `${console.setup.platform.urlOf('mcp-gateway')}/mcp`;
    await page.goto(`${console.url}/console/agents?tab=servers`);
    await page.getByLabel('Short name').fill('itself');
    await page.getByLabel('Address').fill(url);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const server = page.getByRole('region', { name: 'itself' });
    await server.getByRole('button', { name: 'Give consent' }).click();
    // Its sign-in knows the session of this browser, and asks on behalf of the platform as a client.
    await page.getByRole('button', { name: /^(Allow|Connect|Continue as)/ }).click();
    await page.getByText('itself gave an access token').waitFor();
    await page.getByRole('link', { name: 'MCP servers' }).click();
    await server.getByText('43', { exact: false }).first().waitFor();
    await server.getByText('See its tools').click();
    await server.getByText('mcp:itself/list_lenses').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('takes no consent that another page began', async () => {
    const { page, context } = await console.signedIn();
    const back = `${console.url}/console/agents/consent`;
    await page.goto(`${back}?code=1234567890&state=from-elsewhere`);
    await page.getByText('This consent was not begun in this window').waitFor();
    await context.close();
  });

  it('disables an incoming webhook, and keeps its old secret for a time', async () => {
    const workflowId = await console.make('/v1/workflows', {
      title: 'Called from outside',
      graph: { nodes: [{ id: 'give', type: 'transform', settings: { expression: '1' } }] },
    });
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${console.url}/console/webhooks?tab=incoming`);
    await page.getByLabel('Name', { exact: true }).fill('from the shop');
    await page.getByLabel('Workflow').selectOption(workflowId);
    await page.getByRole('button', { name: 'Create' }).click();
    const recipe = (): Promise<string | null> => page.getByLabel('A call that starts the workflow').textContent();
    const [, path = '', secret = ''] = /(\/v1\/\S+).*X-Webhook-Secret: ([^']+)/.exec((await recipe()) ?? '') ?? [];
    const call = async (value: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-webhook-secret': value };
      return (await fetch(console.url + path, { method: 'POST', headers, body: '{"params":{}}' })).status;
    };
    await page.locator('summary', { hasText: 'from the shop' }).click();
    await page.getByText('Replace the secret').click();
    await page.getByLabel('Hours for which').fill('1');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByText('The old secret is valid until').waitFor();
    expect([await call(secret), await call('none of them')]).toEqual([202, 401]);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect(await call(secret)).toBe(401);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('takes over what a revoked token had set up, with new secrets that are shown once', async () => {
    const { setup } = console;
    const alice = { token: setup.platform.tokens['session'] ?? '' };
    const order = { label: 'setup', ttl: 30, scopes: 'workflows:read,workflows:write' };
    const { body } = await setup.call('POST', '/v1/tokens/developer', { ...alice, body: order });
    const program = { token: String(body.data?.['value']) };
    const makes = async (path: string, made: Record<string, unknown>): Promise<string> =>
      String((await setup.call('POST', path, { ...program, body: made })).body.data?.['id']);
    const workflowId = await makes('/v1/workflows', {
      title: 'Set up by a program',
      graph: { nodes: [{ id: 'give', type: 'transform', settings: { expression: '1' } }] },
    });
    const webhookId = await makes('/v1/incoming-webhooks', { workflowId, name: 'of a program' });
    await makes(`/v1/workflows/${workflowId}/schedules`, { cron: '0 5 * * *', title: 'Nights' });
    await setup.call('DELETE', `/v1/tokens/${String(body.data?.['id'])}`, alice);

    const { page, context, faults } = await console.signedIn();
    await page.goto(`${console.url}/console/webhooks?tab=incoming`);
    const hook = page.locator('details', { hasText: 'of a program' }).first();
    await hook.getByText('The token that made it was revoked').waitFor();
    await hook.locator('summary').first().click();
    await hook.getByRole('button', { name: 'Take over' }).click();
    await confirm(page);
    await hook.getByText('suspended').waitFor({ state: 'hidden' });
    const recipe = await page.getByLabel('A call that starts the workflow').textContent();
    const [, secret = ''] = /X-Webhook-Secret: ([^']+)/.exec(recipe ?? '') ?? [];
    const call = await fetch(`${console.url}/v1/webhooks/${webhookId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': secret },
      body: '{"params":{}}',
    });
    expect(call.status).toBe(202);
    await page.reload();
    await hook.waitFor();
    expect(await page.getByText(secret).count()).toBe(0);

    await page.goto(`${console.url}/console/workflows/${workflowId}`);
    const schedule = page.getByRole('article', { name: 'Nights' });
    await schedule.getByText('The token that made it was revoked').waitFor();
    expect(await schedule.getByRole('button', { name: 'Resume' }).count()).toBe(0);
    await schedule.getByRole('button', { name: 'Take over' }).click();
    await confirm(page);
    await schedule.getByRole('button', { name: 'Pause' }).waitFor();
    expect(await schedule.getByText('suspended').count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  // Only members of a community lose a role; their account has no console, so the row is changed here.
  it('shows why an endpoint is suspended, and takes it over', async () => {
    const endpointId = await console.make('/v1/webhook-endpoints', {
      url: 'https://example.com/suspended',
      events: ['run.completed'],
    });
    await console.setup.db.query(
      `update webhook_endpoints set suspended_at = now(), suspended_reason = 'creator_removed', disabled_at = now(),
              disabled_reason = 'owner' where id = $1`,
      [endpointId],
    );
    const { page, context, faults } = await console.signedIn();
    await page.goto(`${console.url}/console/webhooks`);
    await row(page, 'https://example.com/suspended').getByText('no longer a member').waitFor();
    await page.getByRole('link', { name: 'https://example.com/suspended' }).click();
    await page.getByText('no longer a member').waitFor();
    expect(await page.getByRole('button', { name: 'Enable' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Take over' }).click();
    await confirm(page);
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    expect(await page.getByText('no longer a member').count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('confirms the changed authorization server of an MCP server, or keeps the former one', async () => {
    const issuerOf = (host: string) => ({
      issuer: `https://${host}`,
      tokenUrl: `https://${host}/token`,
      isInBody: false,
    });
    const { page, context, faults } = await console.signedIn();
    for (const [name, button, expected] of [
      ['moved', 'Confirm the new one', 'https://new.example/token'],
      ['kept', 'Keep the former one', 'https://former.example/token'],
    ] as const) {
      const id = await console.make('/v1/mcp-servers', {
        name,
        url: `https://${name}.example/mcp`,
        auth: { kind: 'oauth', grantType: 'client_credentials', clientId: 'c', clientSecret: 'of-the-client' },
      });
      await console.setup.db.query('update mcp_servers set issuer = $2, offered_issuer = $3 where id = $1', [
        id,
        JSON.stringify(issuerOf('former.example')),
        JSON.stringify(issuerOf('new.example')),
      ]);
      await page.goto(`${console.url}/console/agents?tab=servers`);
      const server = page.getByRole('region', { name });
      await server.getByText('names another authorization server now: https://new.example/token').waitFor();
      await server.getByRole('button', { name: button }).click();
      if (name === 'moved') await confirm(page);
      await server.getByRole('alert').waitFor({ state: 'hidden' });
      await server.getByText(expected, { exact: true }).waitFor();
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  // The last one, since it ends the session of the tests, too.
  it('ends all other sessions, and keeps its own', async () => {
    const other = await console.signedIn();
    const { page, context } = await console.signedIn();
    await page.goto(`${console.url}/console/account?tab=sessions`);
    await page.getByText('this one').waitFor();
    await page.getByRole('button', { name: 'End all others' }).click();
    await confirm(page);
    await until(async () => (await page.getByRole('row').count()) === 2, { what: 'a header and one session' });
    await page.reload();
    await page.getByText('this one').waitFor();
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.context.close();
    await context.close();
  });
});
