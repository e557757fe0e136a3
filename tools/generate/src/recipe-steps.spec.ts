import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Endpoint,
  accountRateClasses,
  byokProviders,
  endpoints,
  jobs,
  platformEventTypes,
  runEvents,
  runFollowUps,
} from '@lensforge/contracts';
import { describe, expect, it } from '@jest/globals';

// Steps of the recipes in docs/contributing that no type and no other test requires.

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesOf = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '');
const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** The part of a page from a heading of the second level to the next one. */
const section = (page: string, heading: string): string =>
  read(page).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
/** The names in the first column of tables. */
const firstCells = (text: string): string[] => namesIn(text, /^\| `([^`]+)`.*$(?!\n\| -)/gm);

const isSpec = (file: string): boolean => /\.(spec|journey|faults|sample)\.ts$/.test(file);
const sources = filesOf('apps/*/src/*.ts', 'libs/*/src/*.ts')
  .filter((file) => !isSpec(file) && !file.includes('/catalogue/') && !file.includes('generated'))
  .map((file) => [file, read(file)] as const);

describe('an endpoint', () => {
  /** Statuses that follow from the parts of a row; tests of all endpoints cause them. */
  const derived = [400, 401, 403, 404, 413, 415, 429, 500, 503];

  /** The tests of a file, each with the title of the group that it is in. */
  function testsIn(text: string): string[] {
    let group = '';
    return text.split(/^(?= *(?:describe|it)\b)/m).map((part) => {
      if (part.startsWith('describe')) group = part.split('\n')[0] ?? '';
      else if (part.startsWith('it')) group = '';
      return `${group}\n${part}`;
    });
  }
  const tests = filesOf('apps/api-gateway/test/*.spec.ts').flatMap((file) => testsIn(read(file)));

  it('has a test for each status that only its use case causes', () => {
    const untested = Object.values<Endpoint>(endpoints).flatMap(({ id, path, errors }) => {
      const noun = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
      return errors
        .filter((status) => !derived.includes(status))
        .filter((status) => !tests.some((test) => test.includes(noun) && test.includes(String(status))))
        .map((status) => `${id}: ${status}`);
    });
    expect(tests.length).toBeGreaterThan(500);
    expect(untested).toEqual([]);
  });
});

describe('a rate class', () => {
  it('has a row in docs/limits.md', () => {
    const listed = firstCells(read('docs/limits.md').split('\n## ')[0] ?? '');
    expect([...accountRateClasses, 'incoming'].filter((name) => !listed.includes(name))).toEqual([]);
  });
});

describe('a risk of a setting', () => {
  it('has a case in the spec of a configuration', () => {
    const cases = filesOf('apps/*/src/environment.spec.ts', 'libs/edge/src/boot/*.spec.ts').map(read).join('\n');
    const risks = namesIn(read('libs/edge/src/boot/risks.ts'), /^ {2}'([a-z-]+)':/gm);
    expect(risks.length).toBeGreaterThan(5);
    expect(risks.filter((risk) => !cases.includes(risk))).toEqual([]);
  });
});

describe('a job', () => {
  /** The file of the periodic task that enqueues a job again when Redis has lost it; other jobs keep their row in the outbox. */
  const restoredBy: Readonly<Record<string, string>> = {
    executeRun: 'apps/run-worker/src/maintenance/lost-jobs.ts',
    executeIsolatedRun: 'apps/run-worker/src/maintenance/lost-jobs.ts',
    executeNode: 'libs/runs/src/nodes/overdue-nodes.ts',
    carryOutRunOperation: 'libs/runs/src/operations/carry-out-run-operation.ts',
  };
  /** Jobs that are not restored: their user sees that no result came, and starts another one. */
  const repeatedByUsers = ['testByokKey'];

  it('keeps its row in the outbox, or is restored by a periodic task', () => {
    const rows = Object.entries<{ keepsOutboxRow?: true }>(jobs);
    const others = rows.filter(([, row]) => !row.keepsOutboxRow).map(([name]) => name);
    expect([...Object.keys(restoredBy), ...repeatedByUsers].sort()).toEqual(others.sort());
    for (const [name, file] of Object.entries(restoredBy))
      expect([file, read(file)]).toEqual([file, expect.stringContaining(`jobs.${name}`)]);
  });

  /** The test that delivers a job twice: its file, and the end of its title. */
  const deliveredTwice: Readonly<Record<string, readonly [string, string]>> = {
    executeRun: ['apps/run-worker/test/worker.spec.ts', 'however often its job is delivered'],
    executeIsolatedRun: ['libs/runs/src/execute/claim-append-finish.spec.ts', 'succeeds once for concurrent calls'],
    executeNode: ['apps/run-worker/test/node-types.spec.ts', 'after a lost worker, whose result is ignored'],
    carryOutRunOperation: [
      'libs/runs/src/operations/carry-out-run-operation.spec.ts',
      'even if a page is processed twice',
    ],
    testByokKey: ['libs/byok/src/byok-keys.spec.ts', 'only the newest test counts'],
    advanceBattle: ['apps/run-worker/test/worker.spec.ts', 'whose job may come twice or be lost'],
    advanceExperiment: [
      'libs/evaluation/src/experiments/experiments.spec.ts',
      'however often and wherever it is advanced at the same time',
    ],
    callScorer: ['apps/run-worker/test/http-scorers.spec.ts', 'counts its first answer when its job comes twice'],
    recordAgentRunEnd: ['libs/agents/src/teams/team-runs.spec.ts', 'ends with an event'],
    refreshMcpServer: ['apps/run-worker/test/mcp-servers.spec.ts', 'also when its job comes again'],
    authorizeMcpServer: ['apps/run-worker/test/mcp-authorization.spec.ts', 'repeated without a second registration'],
    answerMention: ['libs/threads/src/answers/answers.spec.ts', 'once when its jobs come twice, also at the same time'],
    postAnswer: ['libs/threads/src/answers/answers.spec.ts', 'once when its jobs come twice, also at the same time'],
    fanOutPlatformEvent: ['apps/webhook-dispatcher/test/delivery.spec.ts', 'even when the event is handed over twice'],
  };

  it('is delivered twice by a test', () => {
    expect(Object.keys(deliveredTwice).sort()).toEqual(Object.keys(jobs).sort());
    for (const [name, [file, title]] of Object.entries(deliveredTwice)) {
      expect([name, read(file)]).toEqual([name, expect.stringContaining(`${title}', `)]);
    }
  });

  it('is enqueued by a use case, or follows the end of a run', () => {
    const following = runFollowUps.map(({ job }) => job.name);
    const names = Object.entries(jobs)
      .filter(([, { name }]) => !following.includes(name))
      .map(([name]) => name);
    const enqueued = (name: string): boolean =>
      sources.some(
        ([file, text]) =>
          text.includes(`jobs.${name}`) && !text.includes(`@Handles(jobs.${name})`) && !file.includes('/doctor/'),
      );
    expect(names.filter((name) => !enqueued(name))).toEqual([]);
  });
});

describe('a migration', () => {
  it('is in the list of migrations', () => {
    const names = filesOf('libs/database/src/migrations/*')
      .map((file) => file.split('migrations/')[1]?.split('/')[0]?.replace('.ts', '') ?? '')
      .filter((name) => name !== 'index');
    const list = read('libs/database/src/migrations/index.ts');
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !list.includes(`'./${name}`))).toEqual([]);
  });
});

describe('an append-only table', () => {
  it('is one that services cannot change, as a test tries', () => {
    const migrations = filesOf('libs/database/src/migrations/*.ts').map(read).join('\n');
    const restricted = read('libs/database/src/application-role.ts').split('const restricted')[1]?.split('};')[0] ?? '';
    const appendOnly = namesIn(migrations, /create trigger (\w+)_are_kept before update or delete on \1\b/g);
    expect(appendOnly.length).toBeGreaterThan(2);
    expect(appendOnly.filter((table) => !restricted.includes(`${table}: ['select', 'insert'],`))).toEqual([]);
    const refused = read('libs/database/src/application-role.spec.ts');
    expect(appendOnly.filter((table) => !refused.includes(table))).toEqual([]);
  });
});

describe('an event', () => {
  const isSent = (type: string): boolean => sources.some(([, text]) => text.includes(`'${type}'`));

  it('of a run is appended by a use case', () => {
    // The contract lists `run.progress`; no use case has progress of a whole run to report.
    expect(Object.keys(runEvents).filter((type) => !isSent(type))).toEqual(['run.progress']);
  });

  it('for webhooks is published by a use case', () => {
    expect(platformEventTypes.filter((type) => !isSent(type))).toEqual([]);
  });
});

describe('a node type', () => {
  const types = namesIn(
    read('libs/workflows/src/node-types.ts').split('export const nodeTypes = {')[1]?.split('} as const;')[0] ?? '',
    /^ {2}(\w+): row\(/gm,
  );

  it('has a row in docs/workflows.md', () => {
    expect(types.length).toBeGreaterThan(9);
    expect(firstCells(section('docs/workflows.md', 'Nodes'))).toEqual(types);
  });

  it('has tests of its execution', () => {
    const tests = filesOf('apps/run-worker/test/*.spec.ts').map(read).join('\n');
    expect(
      types.filter((type) => !new RegExp(`type: '${type}'|\\b(?:a|an) ${type} node\\b|'${type}'`).test(tests)),
    ).toEqual([]);
  });
});

describe('a provider of models', () => {
  it('has a row in docs/providers.md', () => {
    expect(firstCells(section('docs/providers.md', 'Providers'))).toEqual(['offline', ...byokProviders]);
  });
});

describe('a command', () => {
  it('is in docs/cli.md', () => {
    const page = read('docs/cli.md');
    const table = section('docs/cli.md', 'Commands');
    const isNamed = (name: string): boolean =>
      page.includes(`lensforge ${name}`) || name.split(' ').every((word) => new RegExp(`\\b${word}\\b`).test(table));
    const names = filesOf('apps/cli/src/commands/*.ts').flatMap((file) => namesIn(read(file), /\bname: '([a-z -]+)'/g));
    expect(names.length).toBeGreaterThan(30);
    // The scripts of the completion call it.
    expect(names.filter((name) => name !== 'completion words' && !isNamed(name))).toEqual([]);
  });
});

describe('a package', () => {
  const packages = filesOf('apps/*/package.json', 'libs/*/package.json', 'tools/*/package.json')
    .map((file) => file.replace('/package.json', ''))
    .filter((folder) => folder.split('/').length === 2);

  it('is in the repository layout', () => {
    const layout = read('docs/contributing/layout.md');
    expect(packages.length).toBeGreaterThan(40);
    expect(packages.filter((folder) => !layout.includes(`\`${folder}\``))).toEqual([]);
  });

  it('has one type and one scope, and a row of dependencies if it is of the domain', () => {
    const rows = read('tools/checks/import-rule.mjs').split('const dependencies = {')[1]?.split('\n};')[0] ?? '';
    const faulty = packages.filter((folder) => {
      const { nx } = JSON.parse(read(`${folder}/package.json`)) as { nx?: { tags?: string[] } };
      const [types, scopes] = ['type:', 'scope:'].map((kind) => (nx?.tags ?? []).filter((tag) => tag.startsWith(kind)));
      if (types?.length !== 1 || scopes?.length !== 1) return true;
      return types[0] === 'type:domain' && !rows.includes(`'${scopes[0]}':`);
    });
    expect(faulty).toEqual([]);
  });

  it('that is a program or a task of the sandbox is bundled, and started by npm start if it is a service', () => {
    const bundle = read('tools/bundle.mjs');
    const services = read('tools/dev/src/services.ts');
    const programs = filesOf('apps/*/src/main.ts').map((file) => file.split('/')[1] ?? '');
    const tasks = sources.flatMap(([, text]) =>
      namesIn(text, /sandboxTasks<[^>]+>\(import\.meta\.dirname, '([\w-]+)\.js'/g),
    );
    expect([programs.length > 5, tasks.length > 5]).toEqual([true, true]);
    // The command line is bundled into one file, and has another name.
    expect(programs.filter((name) => !bundle.includes(`apps/${name}/dist/main.js`))).toEqual([]);
    expect(tasks.filter((name) => !bundle.includes(`/${name}.js'`))).toEqual([]);
    const started = filesOf('apps/*/src/service.ts').map((file) => file.split('/')[1] ?? '');
    expect(started.filter((name) => !services.includes(`app('${name}'`))).toEqual([]);
  });

  it('of libs/ has a README of at most 30 lines, besides the glossary', () => {
    const long = packages.filter((folder) => {
      if (!folder.startsWith('libs/')) return false;
      return (read(`${folder}/README.md`).split('\n## Glossary')[0] ?? '').split('\n').length > 31;
    });
    expect(long).toEqual([]);
  });
});
