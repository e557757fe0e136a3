import { createServer } from 'node:http';

// The minimal receiver: it reads requests and acknowledges them. Both sides deliver to it.
const { PORT: port } = process.env;
process.on('disconnect', () => process.exit());

// A busy sender may leave a connection idle for a while.
createServer({ keepAliveTimeout: 0 }, (request, response) => {
  request.resume();
  request.on('end', () => response.end());
}).listen(Number(port), '127.0.0.1');
