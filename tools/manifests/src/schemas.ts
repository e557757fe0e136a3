import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { gatewaySpecs } from './gateway-schemas.js';
import { monitoringSpecs } from './monitoring-schemas.js';
import { type Manifest, type Members, at, isMembers, listAt, membersAt, toManifestName, textAt } from './manifest.js';

const root = join(import.meta.dirname, '..', '..', '..');

interface Parameter {
  name: string;
  type: string;
  optional?: boolean;
  default?: string;
  metadataVariableReadable?: boolean;
  triggerAuthenticationVariableReadable?: boolean;
}

/** The schemas of Kubernetes and KEDA; undefined where they are not on this machine. */
export class Schemas {
  private readonly ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  private readonly references = new Map<string, string>();
  private readonly custom = new Map<string, ValidateFunction>();
  private readonly parameters: ReadonlyMap<string, readonly Parameter[]>;

  private constructor(folder: string) {
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const { definitions } = JSON.parse(read('swagger.json')) as { definitions: Record<string, Members> };
    this.ajv.addSchema({ $id: 'kubernetes', definitions: mapValues(definitions, closed) });
    for (const [name, definition] of Object.entries(definitions)) {
      for (const { group, version, kind } of listKinds(definition)) {
        this.references.set(`${group ? `${group}/` : ''}${version} ${kind}`, `kubernetes#/definitions/${name}`);
      }
    }
    const metadata = { $ref: 'kubernetes#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
    for (const file of ['keda.sh_scaledobjects.yaml', 'keda.sh_triggerauthentications.yaml']) {
      const definition: unknown = parse(read(file));
      const [version] = listAt(definition, 'spec.versions');
      const schema = closed(at(version, 'schema.openAPIV3Schema')) as { properties: Members };
      const name = `${textAt(definition, 'spec.group')}/${textAt(version, 'name')} ${textAt(definition, 'spec.names.kind')}`;
      this.custom.set(name, this.ajv.compile({ ...schema, properties: { ...schema.properties, metadata } }));
    }
    for (const [group, specs] of [
      ['gateway.networking.k8s.io/v1', gatewaySpecs],
      ['monitoring.coreos.com/v1', monitoringSpecs],
    ] as const) {
      for (const [kind, spec] of Object.entries(specs)) {
        const properties = { apiVersion: {}, kind: {}, metadata, spec };
        this.custom.set(
          `${group} ${kind}`,
          this.ajv.compile({ type: 'object', properties, required: ['spec'], additionalProperties: false }),
        );
      }
    }
    const { scalers } = JSON.parse(read('keda-scalers.json')) as {
      scalers: { type: string; parameters: Parameter[] }[];
    };
    this.parameters = new Map(scalers.map(({ type, parameters }) => [type, parameters]));
  }

  static find(): Schemas | undefined {
    const folder = process.env['KUBERNETES_SCHEMAS'] ?? join(root, '..', 'shared', 'k8s-schemas');
    return existsSync(join(folder, 'swagger.json')) ? new Schemas(folder) : undefined;
  }

  /** Sentences about unknown kinds, unknown or missing members and values of a wrong type. */
  findSchemaFaults(manifest: Manifest): string[] {
    const kind = `${manifest.apiVersion} ${manifest.kind}`;
    const reference = this.references.get(kind);
    const validate = this.custom.get(kind) ?? (reference === undefined ? undefined : this.ajv.getSchema(reference));
    if (!validate)
      return [
        `${toManifestName(manifest)}: ${kind} is not a kind of Kubernetes, KEDA, the Gateway API or the Prometheus operator`,
      ];
    void validate(manifest);
    const faults = (validate.errors ?? []).map(
      ({ instancePath, message = '', params }) =>
        `${toManifestName(manifest)}: ${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
    return [...faults, ...this.faultsOfTriggers(manifest), ...this.faultsOfLabels(manifest)];
  }

  /** The parameters of each trigger, against the list that KEDA publishes. */
  private faultsOfTriggers(manifest: Manifest): string[] {
    if (manifest.kind !== 'ScaledObject') return [];
    return listAt(manifest, 'spec.triggers').flatMap((trigger) => {
      const type = textAt(trigger, 'type');
      const known = this.parameters.get(type);
      if (!known) return [`${toManifestName(manifest)}: ${type} is not a scaler of KEDA`];
      const readable = new Set(known.filter((each) => each.metadataVariableReadable).map(({ name }) => name));
      return Object.keys(membersAt(trigger, 'metadata'))
        .filter((name) => !readable.has(name))
        .map((name) => `${toManifestName(manifest)}: ${name} is not in the metadata of the scaler ${type}`);
    });
  }

  /** Label values that an API server refuses, such as a boolean in a CRD without types. */
  private faultsOfLabels({ metadata, ...rest }: Manifest): string[] {
    return Object.entries(metadata.labels ?? {})
      .filter(([, value]) => !/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/.test(value))
      .map(([key]) => `${rest.kind} ${metadata.name}: the label ${key} has an invalid value`);
  }
}

const mapValues = (members: Members, change: (value: unknown) => unknown): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));

const listKinds = (definition: Members): { group: string; version: string; kind: string }[] =>
  listAt(definition, 'x-kubernetes-group-version-kind') as { group: string; version: string; kind: string }[];

const numberOrText = { anyOf: [{ type: 'string' }, { type: 'number' }] };

/** A schema that refuses unknown members, with references to the closed definitions. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isMembers(schema)) return schema;
  if (schema['x-kubernetes-int-or-string'] || schema['format'] === 'int-or-string') return numberOrText;
  if (typeof schema['$ref'] === 'string') {
    const target = schema['$ref'].replace('#/', 'kubernetes#/');
    return target.endsWith('api.resource.Quantity') ? numberOrText : { $ref: target };
  }
  const { properties, additionalProperties, ...others } = schema;
  const rest = mapValues(others, (value) => (isMembers(value) || Array.isArray(value) ? closed(value) : value));
  if (!isMembers(properties))
    return { ...rest, ...(isMembers(additionalProperties) && { additionalProperties: closed(additionalProperties) }) };
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties !== undefined;
  return { ...rest, properties: mapValues(properties, closed), ...(!open && { additionalProperties: false }) };
}
