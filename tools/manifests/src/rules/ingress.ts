import { type Facts, gateways } from '../facts.js';
import { type Manifest, at, parseBytes, listAt, toManifestName, named, ofKind, textAt, textsAt } from '../manifest.js';

/** The way in: TLS, all three services, event streams without buffers and short time limits. */
export function ingressRules(all: readonly Manifest[], { production }: Facts): string[] {
  const [ingresses, routes] = [ofKind(all, 'Ingress'), ofKind(all, 'HTTPRoute')];
  const reached = [...ingresses.flatMap(backendsOfIngress), ...routes.flatMap(backendsOfRoute)];
  return [
    ...(production
      ? gateways
          .filter((each) => !reached.some(({ service }) => service === each))
          .map((each) => `no Ingress or HTTPRoute leads to ${each}`)
      : []),
    ...(ingresses.length > 0 && routes.length > 0 ? ['there are an Ingress and HTTPRoutes'] : []),
    ...reached.flatMap(({ from, service, port }) => {
      const ports = listAt(named(all, 'Service', service), 'spec.ports').flatMap((each) => [
        textAt(each, 'name'),
        textAt(each, 'port'),
      ]);
      return ports.includes(port) ? [] : [`${from}: there is no Service ${service} with the port ${port}`];
    }),
    ...ingresses.flatMap(ingressFaults),
    ...routes.flatMap((route) => routeFaults(all, route)),
    ...ofKind(all, 'Gateway').flatMap(gatewayFaults),
  ];
}

interface Backend {
  from: string;
  service: string;
  port: string;
}

const backendsOfIngress = (ingress: Manifest): Backend[] =>
  listAt(ingress, 'spec.rules').flatMap((rule) =>
    listAt(rule, 'http.paths').map((path) => ({
      from: toManifestName(ingress),
      service: textAt(path, 'backend.service.name'),
      port: textAt(path, 'backend.service.port.name') || textAt(path, 'backend.service.port.number'),
    })),
  );

const backendsOfRoute = (route: Manifest): Backend[] =>
  listAt(route, 'spec.rules').flatMap((rule) =>
    listAt(rule, 'backendRefs').map((each) => ({
      from: toManifestName(route),
      service: textAt(each, 'name'),
      port: textAt(each, 'port'),
    })),
  );

/** The longest pause of an event stream is below this. */
const streamSeconds = 75;

function ingressFaults(ingress: Manifest): string[] {
  const annotations = ingress.metadata.annotations ?? {};
  const value = (name: string): string => annotations[`nginx.ingress.kubernetes.io/${name}`] ?? '';
  const hosts = listAt(ingress, 'spec.rules').map((rule) => textAt(rule, 'host'));
  const secured = listAt(ingress, 'spec.tls').flatMap((each) =>
    textAt(each, 'secretName') ? textsAt(each, 'hosts') : [],
  );
  return [
    ...(value('proxy-buffering') === 'off' ? [] : ['it buffers event streams']),
    ...(Number(value('proxy-read-timeout')) >= streamSeconds
      ? []
      : [`it ends event streams that pause for less than ${streamSeconds} s`]),
    ...(parseBytes(value('proxy-body-size').replace('m', 'Mi')) >= 2_097_152
      ? []
      : ['it refuses bodies that the MCP gateway accepts']),
    ...(value('force-ssl-redirect') === 'true' ? [] : ['it serves plain HTTP']),
    ...(hosts.includes('') ? ['a rule has no host'] : []),
    ...hosts.filter((host) => !secured.includes(host)).map((host) => `${host} has no certificate`),
  ].map((fault) => `${toManifestName(ingress)}: ${fault}`);
}

function routeFaults(all: readonly Manifest[], route: Manifest): string[] {
  const parents = listAt(route, 'spec.parentRefs');
  const lost = parents.filter((parent) => {
    const listeners = listAt(named(all, 'Gateway', textAt(parent, 'name')), 'spec.listeners');
    return !listeners.some((each) => textAt(each, 'name') === textAt(parent, 'sectionName'));
  });
  const limited = listAt(route, 'spec.rules').filter(
    (rule) =>
      listAt(rule, 'backendRefs').length > 0 &&
      !(textAt(rule, 'timeouts.request') === '0s' && textAt(rule, 'timeouts.backendRequest') === '0s'),
  );
  const isPublic = listAt(route, 'spec.rules').some((rule) => listAt(rule, 'backendRefs').length > 0);
  return [
    ...lost.map((each) => `no Gateway has the listener ${textAt(each, 'sectionName')}`),
    ...limited.map(() => 'it limits the time of event streams'),
    ...(isPublic && listAt(route, 'spec.hostnames').length === 0 ? ['it has no host'] : []),
    ...(isPublic && parents.some((each) => textAt(each, 'sectionName') === 'redirect') ? ['it serves plain HTTP'] : []),
  ].map((fault) => `${toManifestName(route)}: ${fault}`);
}

const gatewayFaults = (gateway: Manifest): string[] =>
  listAt(gateway, 'spec.listeners')
    .filter(
      (each) =>
        textAt(each, 'protocol') === 'HTTPS' &&
        (at(each, 'tls') === undefined || textAt(each, 'tls.certificateRefs.0.name') === ''),
    )
    .map((each) => `${toManifestName(gateway)}: the listener ${textAt(each, 'name')} has no certificate`);
