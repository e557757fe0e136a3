import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checks/run.mjs';

/** The packages that the bundle was made of, as CycloneDX, with the time of the commit. */
export const readBillOfMaterials = (epoch) => {
  const apps = readdirSync(join(root, 'apps')).filter((name) => name !== 'e2e');
  const workspaces = [...apps.map((name) => `apps/${name}`), 'tools/site'].flatMap((name) => ['--workspace', name]);
  const sbom = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', ...workspaces], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 67_108_864,
    shell: process.platform === 'win32',
  });
  const document = JSON.parse(sbom);
  // The number and the time differ for each call, the packages do not.
  delete document.serialNumber;
  document.metadata.timestamp = new Date(epoch * 1000).toISOString();
  return JSON.stringify(document);
};
