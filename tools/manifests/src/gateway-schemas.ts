const text = { type: 'string', minLength: 1 };
const port = { type: 'integer', minimum: 1, maximum: 65_535 };
const duration = { type: 'string', pattern: '^([0-9]{1,5}(h|m|s|ms)){1,4}$' };
const host = {
  type: 'string',
  pattern: String.raw`^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
};
const list = (items: object): object => ({ type: 'array', minItems: 1, items });
const closed = (properties: Record<string, object>, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const gateway = closed(
  {
    gatewayClassName: text,
    listeners: list(
      closed(
        {
          name: text,
          hostname: host,
          port,
          protocol: { enum: ['HTTP', 'HTTPS', 'TLS', 'TCP', 'UDP'] },
          tls: closed({
            mode: { enum: ['Terminate', 'Passthrough'] },
            certificateRefs: list(closed({ name: text }, ['name'])),
          }),
          allowedRoutes: closed({ namespaces: closed({ from: { enum: ['All', 'Selector', 'Same'] } }) }),
        },
        ['name', 'port', 'protocol'],
      ),
    ),
  },
  ['gatewayClassName', 'listeners'],
);

const redirect = closed({ scheme: { enum: ['http', 'https'] }, statusCode: { enum: [301, 302] } });

const route = closed({
  parentRefs: list(closed({ name: text, sectionName: text }, ['name'])),
  hostnames: list(host),
  rules: list(
    closed({
      timeouts: closed({ request: duration, backendRequest: duration }),
      filters: list(closed({ type: { enum: ['RequestRedirect'] }, requestRedirect: redirect }, ['type'])),
      backendRefs: list(closed({ name: text, port, weight: { type: 'integer', minimum: 0 } }, ['name', 'port'])),
    }),
  ),
});

/** The part of the Gateway API (v1) that the manifests use. */
export const gatewaySpecs: Readonly<Record<string, object>> = { Gateway: gateway, HTTPRoute: route };
