import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest.js';

const root = join(import.meta.dirname, '..', '..', '..');

export const overlays = ['dev', 'production', 'high-availability'] as const;
export type Overlay = (typeof overlays)[number];

/** False where no kubectl with Kustomize is installed. */
export function hasKubectl(): boolean {
  try {
    execFileSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The output of `kubectl kustomize`, which needs no cluster. */
export const buildYaml = (overlay: Overlay): string =>
  execFileSync('kubectl', ['kustomize', join(root, 'k8s', 'overlays', overlay)], {
    encoding: 'utf8',
    maxBuffer: 16_777_216,
  });

export const manifestsIn = (yaml: string): Manifest[] =>
  parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);
