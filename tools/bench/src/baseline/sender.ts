import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { Posting } from './send-request.js';

// The minimal sender: an HMAC over the body and a bare fetch, as many at once as Lensforge sends; it stores nothing.
const { PORT: port } = process.env;
process.on('disconnect', () => process.exit());

async function post({ url, body, count, atOnce }: Posting): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const signature = `sha256=${createHmac('sha256', 'whsec_bench').update(body).digest('hex')}`;
      const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
      const answer = await fetch(url, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the sink answered with ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const work = request.method === 'POST' ? post(JSON.parse(Buffer.concat(pieces).toString()) as Posting) : undefined;
    Promise.resolve(work).then(
      () => response.end(),
      (reason: unknown) => response.writeHead(500).end(String((reason as Error).cause ?? reason)),
    );
  });
}).listen(Number(port), '127.0.0.1');
