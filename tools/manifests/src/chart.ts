import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { manifestsIn } from './build-overlay.js';
import type { Manifest } from './manifest.js';

const charts = join(import.meta.dirname, '..', '..', '..', 'charts');
export const chart = join(charts, 'lensforge');

/** False where no Helm is installed. */
export const hasHelm = (): boolean => spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0;

/** A file of `values/`, without its ending. */
export type ChartValues = 'small' | 'large' | 'images';

export interface Rendering {
  values?: readonly ChartValues[];
  /** Arguments of `--set` and others. */
  more?: readonly string[];
  /** A values file. */
  input?: string;
  /** The folder or archive of the chart. */
  from?: string;
}

/** The output of `helm template`, which needs no cluster. */
export const renderChart = ({ values = [], more = [], input, from = chart }: Rendering = {}): Manifest[] => {
  const files = values.map((name) => `--values=${join(chart, 'values', `${name}.yaml`)}`);
  const piped = input === undefined ? [] : ['--values=-'];
  const common = ['--namespace=lensforge', '--kube-version=1.30.0'];
  const yaml = execFileSync('helm', ['template', 'lensforge', from, ...common, ...files, ...more, ...piped], {
    encoding: 'utf8',
    maxBuffer: 16_777_216,
    input: input ?? '',
    stdio: 'pipe',
  });
  return manifestsIn(yaml);
};

/** The message of Helm when it refuses values. */
export const refuseChart = (...more: string[]): string => {
  const args = ['template', 'lensforge', chart, '--kube-version=1.30.0', ...more];
  const { status, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
};
