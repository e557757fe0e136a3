const text = { type: 'string', minLength: 1 };
const texts = { type: 'object', additionalProperties: text };
const duration = { type: 'string', pattern: '^([0-9]+(ms|[smhdwy]))+$' };
const list = (items: object): object => ({ type: 'array', minItems: 1, items });
const closed = (properties: Record<string, object>, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const serviceMonitor = closed(
  {
    jobLabel: text,
    selector: closed({ matchLabels: texts }, ['matchLabels']),
    endpoints: list(
      closed({
        port: text,
        path: text,
        interval: duration,
        scrapeTimeout: duration,
        honorLabels: { type: 'boolean' },
      }),
    ),
  },
  ['selector', 'endpoints'],
);

const rule = {
  oneOf: [
    closed({ record: text, expr: text, labels: texts }, ['record', 'expr']),
    closed({ alert: text, expr: text, for: duration, labels: texts, annotations: texts }, ['alert', 'expr']),
  ],
};
const prometheusRule = closed({ groups: list(closed({ name: text, rules: list(rule) }, ['name', 'rules'])) }, [
  'groups',
]);

/** The part of the Prometheus operator's resources (v1) that the manifests use. */
export const monitoringSpecs: Readonly<Record<string, object>> = {
  ServiceMonitor: serviceMonitor,
  PrometheusRule: prometheusRule,
};
