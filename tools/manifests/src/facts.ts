/** The settings of a program, from its configuration class. */
export interface ProgramSettings {
  known: ReadonlySet<string>;
  required: ReadonlySet<string>;
}

/** Facts about the code, and about the purpose of the overlay, that manifests must agree with. */
export interface Facts {
  /** False for an overlay of a trial: its images have tags, and its Secrets are part of it. */
  production: boolean;
  settings: ReadonlyMap<string, ProgramSettings>;
  /** Reads the settings as the program does at its start; returns its message about faults. */
  faultOfEnvironment: (program: string, environment: Readonly<Record<string, string>>) => string | undefined;
  /** The keys of the queue of runs in Redis, by trigger. */
  queueKeys: Readonly<Record<'waiting' | 'prioritized' | 'active', string>>;
}

export const gateways = ['api-gateway', 'mcp-gateway', 'oauth'] as const;
export const workers = ['run-worker', 'webhook-dispatcher'] as const;
export const services = [...gateways, ...workers] as const;

/** The program that runs in the pods with this name. */
export const toProgram = (app: string): string => (app === 'migrate' ? 'operate' : app);
