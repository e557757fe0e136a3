import { createServer } from 'node:http';

// The least receiver: it reads what comes and says that it has it. Both sides deliver to it.
const { PORT: port } = process.env;
process.on('disconnect', () => process.exit());

// A sender that is short of time may leave a connection alone for a while.
createServer({ keepAliveTimeout: 0 }, (request, response) => {
  request.resume();
  request.on('end', () => response.end());
}).listen(Number(port), '127.0.0.1');
