/** The path at which npm resolves `name` from `from` (a path of the lock file), or undefined. */
const resolve = (packages, from, name) => {
  for (let folder = from; ;) {
    const path = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`;
    if (packages[path]) return path;
    if (!folder) return undefined;
    folder = folder.includes('/node_modules/') ? folder.slice(0, folder.lastIndexOf('/node_modules/')) : '';
  }
};

const toPackageName = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** True if a range such as `^20.19.0 || >=22.12` allows Node.js 20.19, the oldest version that Lensforge supports. */
const supportsOldestNode = (range) =>
  range.split('||').some((part) => {
    const [, major, minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(part) ?? [undefined, '0'];
    const isBelow = Number(major) * 100 + Number(minor) <= 2019;
    return isBelow && (Number(major) === 20 || />|\*/.test(part) || !/\d/.test(part));
  });

/**
 * The faults of a lock file, one sentence each. npm silently omits platform packages that it could not fetch; `npm ci`
 * then fails, or works on the author's platform only.
 */
export const faultsOfLock = ({ packages }, { allowScripts = {} }) => {
  const entries = Object.entries(packages).filter(([path, entry]) => path.includes('node_modules/') && !entry.link);
  return entries.flatMap(([path, entry]) => {
    const faults = Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !resolve(packages, path, name))
      .map((name) => `${path} lists the optional package ${name}, which is not in the lock file`);
    if (!entry.integrity && !entry.inBundle) faults.push(`${path} has no integrity hash`);
    if (entry.resolved && !entry.resolved.startsWith('https://registry.npmjs.org/')) {
      faults.push(`${path} comes from ${entry.resolved}, not from the npm registry`);
    }
    if (entry.engines?.node && !supportsOldestNode(entry.engines.node)) {
      faults.push(
        `${path} needs Node.js ${entry.engines.node}; take a version for 20.19, by overrides of package.json if need be`,
      );
    }
    if (entry.hasInstallScript && !(toPackageName(path) in allowScripts)) {
      faults.push(`${path} has an install script; review it and say true or false in package.json, allowScripts`);
    }
    return faults;
  });
};
