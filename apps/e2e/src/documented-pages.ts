/** How the commands of a page of the documentation are run. */
export interface DocumentedPage {
  /** Commands before the block of this index, for what the text around it presumes. */
  before?: Readonly<Record<number, string>>;
  /** Why blocks are not run here, by their index. */
  notRun?: Readonly<Record<number, string>>;
  /** Why the reply below a block is another one here, by its index. */
  otherReplies?: Readonly<Record<number, string>>;
  /** Answers that the page is about although they refuse, as `400 POST /id/token`. */
  refusals?: readonly string[];
}

const lens = (template: string): string =>
  `curl -s -X POST $LENSFORGE_API_URL/v1/lenses -H "$AUTHORIZATION" -H 'Content-Type: application/json' \\
    -d '{"title":"Note","templateBody":"${template} Write it in at most three plain and short sentences."}'\n`;
const script = { script: [{ calls: [{ name: 'find_order', input: { id: '1042' } }] }, { say: 'It is {{1}}.' }] };
/** A lens whose offline model calls a tool. */
const callingLens = `cat > calling.json <<'END'
${JSON.stringify({
  title: 'Calling',
  templateBody: `@offline ${JSON.stringify(script)}\nOrder [[Order]]`,
  settings: { models: ['offline/echo'], tools: [{ name: 'find_order', inputSchema: { type: 'object' } }] },
})}
END
curl -s -X POST $LENSFORGE_API_URL/v1/lenses -H "$AUTHORIZATION" -H 'Content-Type: application/json' -d @calling.json\n`;
const aiLenser = (handle: string, rule: string): string =>
  `curl -s -X POST $LENSFORGE_API_URL/v1/agents -H "$AUTHORIZATION" -H 'Content-Type: application/json' \\
    -d '{"handle":"${handle}","displayName":"Critic","policy":{"actions":{"run_lens":"${rule}"}}}'
  curl -s -X POST $LENSFORGE_API_URL/v1/agents/$AI_LENSER/tools -H "$AUTHORIZATION" -H 'Content-Type: application/json' \\
    -d '{"toolId":"run_lens"}'\n`;
const thread = `curl -s -X POST $LENSFORGE_API_URL/v1/threads -H "$AUTHORIZATION" -H 'Content-Type: application/json' \\
    -d '{"title":"Tone","subjectType":"lens","subjectId":"'$LENS'"}'\n`;
const message = `curl -s -X POST $LENSFORGE_API_URL/v1/threads/$THREAD/messages -H "$AUTHORIZATION" \\
    -H 'Content-Type: application/json' -d '{"text":"A message."}'\n`;
const workflow = `curl -s -X POST $LENSFORGE_API_URL/v1/workflows -H "$AUTHORIZATION" -H 'Content-Type: application/json' \\
    -d '{"title":"Pause","graph":{"nodes":[{"id":"pause","type":"delay","settings":{"seconds":1}}],"edges":[]}}'\n`;
const services = 'eval "$(npm start -s -- --service-env)"\n';

const community = `curl -s -X POST $LENSFORGE_API_URL/v1/communities -H "$AUTHORIZATION" -H 'Content-Type: application/json' \\
    -d '{"handle":"docs-'$RANDOM'","displayName":"Docs"}'\n`;
const token = `${community}curl -s -X POST $LENSFORGE_API_URL/v1/tokens -H "$AUTHORIZATION" \\
    -H 'Content-Type: application/json' -d '{"label":"docs","communityId":"'$COMMUNITY'"}'\n`;
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The pages with shell commands; a text says why none of a page is run by docs-commands.journey. */
export const pages: Readonly<Record<string, DocumentedPage | string>> = {
  'README.md': {
    notRun: { 0: 'starts a platform, as this test does, and runs all tests' },
  },
  'actions/README.md': 'examples.journey runs the action',
  'docs/agents.md': {
    before: {
      1: lens('Greet [[Name]].') + aiLenser('docs-critic', 'allow'),
      5: workflow,
      3: `${aiLenser('asking-critic', 'ask')}
        curl -s -X POST $LENSFORGE_API_URL/v1/agents/$AI_LENSER/actions -H "$AUTHORIZATION" -H 'Content-Type: application/json' \\
          -d '{"actionType":"run_lens","metadata":{"lens_id":"'$LENS'","param_values":{"Name":"Ada"}}}'\n`,
    },
  },
  'docs/assistants.md': { before: { 0: lens('Note about [[Topic]].'), 1: workflow } },
  'docs/backups.md': 'needs pg_dump and Docker; restore.journey makes and restores a backup',
  'docs/battles.md': {
    before: {
      1: aiLenser('docs-robot', 'allow'),
      8: 'until command curl -sf $LENSFORGE_API_URL/v1/leaderboards/ai_vs_ai/fit -H "$AUTHORIZATION" > fit.json; do sleep 0.5; done\n',
    },
    notRun: { 2: 'the worked example closes a battle so', 3: 'the worked example reads the score of a judged battle' },
  },
  'docs/cli.md': {
    before: { 1: lens('Note about [[Topic]].') },
    notRun: {
      0: 'signs in with a browser; sdk-and-cli.journey does',
      2: 'runs until it is interrupted; so does that journey',
    },
  },
  'docs/importing.md': {},
  'docs/openai.md': { before: { 1: lens('Note about [[Topic]].') } },
  'docs/operations.md': {
    before: { 0: services },
    notRun: {
      1: 'needs psql; database-roles.journey runs the services with such a role',
      2: 'has the address of an installation; apps/operate/test verifies exported keys',
    },
  },
  'docs/releasing.md': 'makes and publishes a release; release.journey builds one and release.spec tags one',
  'docs/contributing/tests.md': 'runs tests, as this is one',
  'docs/credits-and-keys.md': {
    before: { 0: `${services}npm run -s operate -- create-user ada ada@example.com || true\n`, 1: lens('Greet.') },
    notRun: { 3: 'needs a model server; local-runs.faults starts one' },
  },
  'docs/datasets.md': {},
  'docs/deploy-compose.md': 'needs Docker; tools/manifests checks the Compose file',
  'docs/deploy-helm.md': 'needs a cluster; tools/manifests renders the chart',
  'docs/deploy-kubernetes.md': 'needs a cluster; tools/manifests checks the manifests',
  'docs/deploy-processes.md': 'installs packages and starts all services; bundle-alone.journey starts such programs',
  'docs/errors.md': {},
  'docs/experiments.md': { before: { 0: lens('Note about [[Topic]].') } },
  'docs/faults.md': 'takes half an hour; specs check the options',
  'docs/first-integration.md': 'one-command.journey runs all of it and compares what it prints',
  'docs/identity.md': { before: { 4: community }, refusals: ['400 POST /id/token'] },
  'docs/incoming-webhooks.md': { before: { 0: workflow, 1: 'URL=$LENSFORGE_API_URL$HOOK\n' } },
  'docs/langfuse.md': { before: { 0: lens('Note about [[Topic]].') } },
  'docs/lenses.md': {
    // Later commands are about the first lens again.
    before: {
      1: 'NOTE=$LENS\n',
      5: 'echo "LENS=$NOTE" >> "$RECORDS/ids"\n',
      14: `echo ${picture} | base64 -d > picture.png\n`,
      17: callingLens,
      18: 'echo "LENS=$NOTE" >> "$RECORDS/ids"\n',
    },
  },
  'docs/limits.md': {},
  'docs/mcp-servers.md': {
    before: { 0: aiLenser('docs-mcp', 'allow') },
    // The answer for which the page waits.
    refusals: ['400 GET /mcp'],
    notRun: {
      1: 'needs a server with OAuth; apps/api-gateway/test has one',
      2: 'needs a server whose authorization server has changed; apps/api-gateway/test has one',
    },
  },
  'docs/models.md': {
    before: { 1: lens('Note about [[Topic]].') },
    notRun: { 2: 'needs an endpoint with https' },
  },
  'docs/prompt-ci.md': {
    before: { 1: 'echo "model: offline/echo" >> eval.yaml\n' },
    otherReplies: { 1: 'the times differ' },
  },
  'docs/products.md': {},
  'docs/providers.md': 'starts another platform; one-command.journey starts one with a provider',
  'docs/ratings.md': {},
  'docs/recipes.md': {},
  'docs/rest.md': { before: { 2: lens('Greet [[Name]].') }, refusals: ['400 POST /v1/lenses/*/execute'] },
  'docs/runs.md': {
    before: {
      0: `RUN=$(curl -s $MCP/mcp -H "Authorization: Bearer $MCP_TOKEN" -H 'Content-Type: application/json' \\
        -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_lens","arguments":{"lens_id":"'$LENS'","param_values":{"Product":"x","Audience":"y"},"workflow_id":"'$WORKFLOW'"}}}' |
        grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' | head -n 1)\n`,
    },
  },
  'docs/scaling.md': 'takes minutes; specs check the options',
  'docs/scopes.md': { before: { 1: token } },
  'docs/scores.md': { before: { 0: lens('Greet [[Name]].') } },
  'docs/sdk.md': { before: { 0: lens('Note about [[Topic]].') } },
  'docs/stores.md': 'has settings of an installation; apps/e2e/src/stores starts the services with such settings',
  'docs/threads.md': {
    before: {
      4: `${message}ACCOUNT=$(command curl -s $LENSFORGE_API_URL/v1/me -H "Authorization: Bearer $OTHER_TOKEN" | node -p 'JSON.parse(require("fs").readFileSync(0)).data.account.id')\n`,
      5: `${thread}${aiLenser('prose-critics', 'allow')}`,
    },
    notRun: { 2: 'needs the renderer of the reader; tools/checks tries one' },
  },
  'docs/tutorial.md': 'docs.journey runs all of it and compares what it prints',
  'docs/workflows.md': {},
};
