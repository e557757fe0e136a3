// The calls of these examples. LENSFORGE_API_URL is the address of the API, LENSFORGE_API_KEY a token.
const { LENSFORGE_API_URL: base = 'http://127.0.0.1:4000', LENSFORGE_API_KEY: token } = process.env;

/** Calls the REST API; throws with the reason of a refusal. */
export async function call(method, path, body) {
  if (!token) throw new Error('Set LENSFORGE_API_KEY: npm start -- --show prints a token');
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, error } = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${error.message}`);
  return data;
}

/** The event stream of a run, as the API sends it. */
export const fetchEvents = (runId, headers = {}, signal = undefined) =>
  fetch(`${base}/v1/runs/${runId}/events`, { headers: { authorization: `Bearer ${token}`, ...headers }, signal });

/** Waits for the end of a run. */
export async function ended(runId) {
  for (;;) {
    const run = await call('GET', `/runs/${runId}`);
    if (!['queued', 'running'].includes(run.status)) return run;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The text of the primary output of a run. */
export const pickText = ({ artifacts }) => artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput)?.contentText ?? '';
