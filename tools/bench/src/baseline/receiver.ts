import { createServer } from 'node:http';

// The minimal receiver: it reads requests, acknowledges them, and tells a GET how many there were. Both sides deliver to it.
const { PORT: port } = process.env;
process.on('disconnect', () => process.exit());

let received = 0;

// A busy sender may leave a connection idle for a while.
createServer({ keepAliveTimeout: 0 }, (request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.method === 'POST') received += 1;
    response.end(request.method === 'GET' ? String(received) : undefined);
  });
}).listen(Number(port), '127.0.0.1');
