import { type LookupFunction, type Socket, isIP } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressPolicy, isAllowedAddress } from './address.js';
import { EgressFailed } from './egress-failed.js';
import type { EgressPolicy } from './policy.js';
import { addressesFor, notAllowed } from './target.js';

/** A connector that checks the addresses of the look-up that it connects with, so DNS rebinding has no effect. */
export function checkedConnector(policy: EgressPolicy): buildConnector.connector {
  const [encrypted, plain] = [connectorFor(policy, 'https:'), connectorFor(policy, 'http:')];
  return (options, callback) => (options.protocol === 'https:' ? encrypted : plain)(options, callback);
}

function connectorFor(policy: EgressPolicy, protocol: 'http:' | 'https:'): buildConnector.connector {
  const addresses = addressesFor(policy, protocol);
  const connect = buildConnector({
    timeout: policy.connectMs,
    allowH2: false,
    maxCachedSessions: 0,
    lookup: checkedLookup({ ...addresses, resolve: policy.resolve }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
    ...(policy.authorities !== undefined && { ca: policy.authorities }),
  });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      const fault = peerFault(addresses, socket);
      if (!fault) return callback(null, socket);
      socket.destroy();
      callback(fault, null);
    });
}

/** Checks the remote address of a connected socket. */
export function peerFault(policy: AddressPolicy, socket: Socket): EgressFailed | undefined {
  const address = socket.remoteAddress;
  if (address === undefined)
    return new EgressFailed('connection_lost', 'The connection was lost right after connecting.');
  return isAllowedAddress(policy, address) ? undefined : notAllowed(address, [address], policy);
}

export function checkedLookup(policy: AddressPolicy & Pick<EgressPolicy, 'resolve'>): LookupFunction {
  return (hostname, options, callback) => {
    policy.resolve(hostname).then(
      (addresses) => {
        const allowed = addresses.filter((address) => isAllowedAddress(policy, address));
        const found = allowed.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (!first) callback(notAllowed(hostname, addresses, policy), '');
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };
}
