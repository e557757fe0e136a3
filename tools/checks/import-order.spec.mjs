import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'libs/*/src/*', 'apps/*/src/*'], {
  cwd: root,
  encoding: 'utf8',
});
const files = new Set(listed.split('\n').filter((file) => /\.tsx?$/.test(file) && existsSync(root + file)));

/** The files of this repository that a file imports by a relative path, types included. */
const importsOf = new Map(
  [...files].map((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(root + file, 'utf8'));
    const paths = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
    const found = paths.map((path) => join(dirname(file), path).replace(/\.jsx?$/, ''));
    return [file, found.flatMap((path) => [`${path}.ts`, `${path}.tsx`].filter((name) => files.has(name)))];
  }),
);

/** The first circle of imports that is reached from a file, as a path back to its first file. */
function circleFrom(file, finished, path = []) {
  if (finished.has(file)) return undefined;
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  for (const next of importsOf.get(file)) {
    const circle = circleFrom(next, finished, [...path, file]);
    if (circle) return circle;
  }
  finished.add(file);
  return undefined;
}

it('no file imports itself through others', () => {
  const finished = new Set();
  expect(files.size).toBeGreaterThan(1000);
  expect([...files].flatMap((file) => circleFrom(file, finished) ?? [])).toEqual([]);
});

describe('libs/runs', () => {
  const source = 'libs/runs/src/';
  /** Folders from the bottom up; files of a line may import those of lines above it. `.` is the files outside of folders. */
  const order = [
    ['.'],
    ['end'],
    ['admit', 'execute', 'nodes'],
    ['agent-steps', 'read'],
    ['accept', 'accept/batching', 'local', 'tracking', 'streams'],
    ['operations', 'schedules', 'retention'],
  ];
  const folderOf = (file) => dirname(file.slice(source.length));
  const heightOf = (file) => order.findIndex((folders) => folders.includes(folderOf(file)));
  const inRuns = [...files].filter(
    (file) => file.startsWith(source) && !/\.spec\.ts$/.test(file) && !/\/(index|testing)\.ts$/.test(file),
  );

  it('has only folders that are in the order', () => {
    expect([...new Set(inRuns.map(folderOf))].filter((folder) => !order.flat().includes(folder))).toEqual([]);
  });

  it('imports from its lower folders only', () => {
    const arrows = inRuns.flatMap((file) => importsOf.get(file).map((imported) => [file, imported]));
    const mayImport = ([file, imported]) =>
      folderOf(file).split('/')[0] === folderOf(imported).split('/')[0] || heightOf(imported) < heightOf(file);
    expect(arrows.filter((arrow) => !mayImport(arrow)).map((arrow) => arrow.join(' imports '))).toEqual([]);
  });
});
