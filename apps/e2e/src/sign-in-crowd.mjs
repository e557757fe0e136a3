import { randomBytes } from 'node:crypto';
import { request, Agent } from 'node:http';

/*
 * Sends `perSecond` sign-in attempts for unknown accounts until it is stopped, and prints the responses. A separate process, so that
 * it does not delay the measurements.
 */
const { url, form, cookie, perSecond } = JSON.parse(process.argv[2] ?? '{}');
const agent = new Agent({ keepAlive: true, maxSockets: 100 });
const counts = {};
let [sent, open] = [0, 0];
const part = () => randomBytes(2).toString('hex');

function signIn() {
  sent += 1;
  open += 1;
  const email = `${randomBytes(8).toString('hex')}@mail.example`;
  const body = new URLSearchParams([
    ...Object.entries(form),
    ['email', email],
    ['password', 'not the password'],
  ]).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': body.length,
    cookie,
    'x-forwarded-for': `2001:db8:${part()}:${part()}::1`,
  };
  const ended = (outcome) => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    open -= 1;
  };
  request(url, { method: 'POST', agent, headers }, (answer) => {
    answer.resume();
    answer.once('close', () => ended(answer.statusCode));
  })
    .once('error', () => ended('error'))
    .end(body);
}

const since = performance.now();
const timer = setInterval(() => {
  while (sent < ((performance.now() - since) / 1000) * perSecond) signIn();
}, 1000 / perSecond);
process.once('message', () => {
  clearInterval(timer);
  setInterval(() => {
    if (open === 0) process.send(counts, () => process.exit(0));
  }, 50);
});
