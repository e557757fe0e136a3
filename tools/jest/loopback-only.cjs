const net = require('node:net');

/* Tests reach nothing but this machine, so that none of them depends on, or disturbs, anything outside it. */
const done = Symbol.for('lensforge.loopback-only');
const loopback = /^(localhost|127(\.\d+){3}|::1|::ffff:127(\.\d+){3}|0\.0\.0\.0|::)$/;

if (!net[done]) {
  net[done] = true;
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function connectToLoopback(...args) {
    const [first] = Array.isArray(args[0]) ? args[0] : args;
    const options = typeof first === 'object' && first !== null ? first : { port: first, host: args[1] };
    const host = typeof options.host === 'string' ? options.host : 'localhost';
    if (options.path || options.fd !== undefined || loopback.test(host)) return connect.apply(this, args);
    const refusal = Object.assign(
      new Error(`Tests have no network but loopback: connecting to ${host}:${options.port} was refused`),
      { code: 'ECONNREFUSED' },
    );
    if (typeof options.lookup === 'function' && !net.isIP(host)) {
      options.lookup = toLoopback(options.lookup, refusal);
      return connect.apply(this, args);
    }
    process.nextTick(() => this.destroy(refusal));
    return this;
  };
}

/* A look-up of the caller's own may make up names for loopback. */
function toLoopback(lookup, refusal) {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = [found].flat().map((each) => each?.address ?? each);
      if (error || addresses.every((address) => loopback.test(address))) callback(error, found, family);
      else callback(refusal);
    });
}
