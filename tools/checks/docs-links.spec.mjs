import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const withoutCode = (text) => text.replace(/^```[\s\S]*?^```/gm, '');

/** The anchor of a heading, as Git hosts derive it. */
const anchorOf = (heading) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (page) => [...withoutCode(read(page)).matchAll(/^#{1,6} +(.+)$/gm)].map(([, text]) => anchorOf(text));

const isBroken = (page, link) => {
  if (/^[a-z]+:/.test(link)) return false;
  const [path, anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
};

it('links between pages lead to files and headings that exist', () => {
  const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  const found = pages
    .split('\n')
    .filter((page) => page !== '' && existsSync(join(root, page)))
    .flatMap((page) => [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => [page, link]));
  expect(found.length).toBeGreaterThan(200);
  expect(found.filter(([page, link]) => isBroken(page, link))).toEqual([]);
});

it('docs/security-asvs.md names files that exist', () => {
  const cells = read('docs/security-asvs.md')
    .split('\n')
    .filter((line) => /^\| \d/.test(line));
  const names = cells.flatMap((line) => [...line.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|[\w.-]+\.(?:json|md|mjs))`/g)]);
  expect(cells.length).toBeGreaterThan(90);
  expect(names.map(([, name]) => name).filter((name) => !existsSync(join(root, name)))).toEqual([]);
  const isShown = (line) => /`|not applicable: |\*\*gap\*\*: /i.test(line.split('|')[4]);
  expect(cells.filter((line) => !isShown(line))).toEqual([]);
});

it('README.md and CONTRIBUTING.md stay first pages: at most 5 kB, and README.md with eight links', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md']) {
    expect([page, Buffer.byteLength(read(page)) <= 5000]).toEqual([page, true]);
  }
  const documentation = read('README.md').split('\n## Documentation\n')[1].split('\n## ')[0];
  expect(documentation.match(/^- \[/gm)).toHaveLength(8);
});

it('docs/README.md has a door for each kind of reader, and the reference besides them', () => {
  const parts = [...read('docs/README.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(parts).toEqual(['Use', 'Operate', 'Contribute', 'Reference']);
});

it('docs/README.md lists all pages', () => {
  const map = read('docs/README.md');
  const isListed = (name) => /\.(md|json)$/.test(name) && name !== 'README.md' && !/^(adr|runbooks)\//.test(name);
  const pages = readdirSync(join(root, 'docs'), { recursive: true }).filter(isListed);
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter((name) => !map.includes(`](${name})`))).toEqual([]);
});

it('commands of operators are written as docs/operations.md says, which a reader can type', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true }).filter((name) => name.endsWith('.md'));
  const bare = pages.flatMap((name) =>
    [...withoutCode(read(`docs/${name}`)).matchAll(/`(?:\S+=\S+ )?operate [a-z-]+/g)].map(
      ([text]) => `${name}: ${text}`,
    ),
  );
  expect(bare).toEqual([]);
});
