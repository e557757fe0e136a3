// Migrates the database to the schema of a release, and makes demo data by the code of that release.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [release, options] = process.argv.slice(2);
const { startPlatform } = await import(pathToFileURL(join(release, 'tools/dev/dist/index.js')).href);
const { tokens, lensId, stop } = await startPlatform({ ...JSON.parse(options), services: [] });
await stop();
process.stdout.write(JSON.stringify({ tokens, lensId }));
