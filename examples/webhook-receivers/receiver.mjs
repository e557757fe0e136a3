// A receiver of webhooks: WEBHOOK_SECRET=whsec_… node receiver.mjs. Verifies the signature over the raw body.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const { WEBHOOK_SECRET: secret = '', PORT: port = '8091' } = process.env;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret of the endpoint');
/** The events that were processed. Keep these ids in a database. */
const seen = new Set();

function isSigned(body, signature = '') {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  if (!isSigned(body, request.headers['x-service-signature'])) return response.writeHead(401).end();
  const { id, event, data } = JSON.parse(body);
  response.writeHead(204).end();
  if (seen.has(id)) return undefined;
  seen.add(id);
  return console.log(`${event} ${data.runId ?? ''}`.trim());
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
