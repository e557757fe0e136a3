const { readFileSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

const root = resolve(__dirname, '../..');
const seconds = JSON.parse(readFileSync(join(__dirname, 'slow-files.json'), 'utf8'));
const secondsOf = ({ path }) => seconds[relative(root, path)] ?? 0;

/** Starts the slowest files first, so that no worker waits for one of them at the end. `LENSFORGE_RECORD=1 npm test` writes the list. */
module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    return [...tests].sort((one, other) => secondsOf(other) - secondsOf(one) || one.path.localeCompare(other.path));
  }
};
