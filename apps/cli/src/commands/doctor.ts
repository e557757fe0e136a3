import { ApiError, LensforgeError } from '@lensforge/sdk';
import type { Command } from '../command.js';
import { CommandFault } from '../faults.js';
import { table, time } from '../layout.js';
import type { Session } from '../session.js';
import { version } from '../version.js';

interface Check {
  check: string;
  ok: boolean;
  result: string;
}

const maxSkewMs = 60_000;

const passed = (check: string, result: string): Check => ({ check, ok: true, result });
const failed = (check: string, result: string): Check => ({ check, ok: false, result });

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function api(session: Session): Promise<Check[]> {
  const name = `platform at ${session.apiUrl}`;
  try {
    const { data, response } = await session
      .clientWithout()
      .service.health({ ...session.call, maxRetries: 0 })
      .withResponse();
    const skew = Math.abs(Date.now() - Date.parse(response.headers.get('date') ?? ''));
    return [
      passed(name, `${data.status}, version ${data.version ?? 'unknown'}`),
      skew > maxSkewMs
        ? failed('clock', `differs from the platform by ${Math.round(skew / 1000)} s: set the clock`)
        : passed('clock', 'agrees with the platform'),
    ];
  } catch (error) {
    session.signal.throwIfAborted();
    return [failed(name, `${toMessage(error)}. Check --api-url and LENSFORGE_API_URL`)];
  }
}

async function signIn(session: Session): Promise<Check> {
  const name = `sign-in at ${session.authUrl}`;
  const signal = AbortSignal.any([session.signal, AbortSignal.timeout(10_000)]);
  try {
    const { status } = await fetch(`${session.authUrl}/.well-known/oauth-authorization-server/id`, { signal });
    return status === 200 ? passed(name, 'reachable') : failed(name, `answered with ${status}. Check --auth-url`);
  } catch {
    session.signal.throwIfAborted();
    return failed(name, 'cannot be reached. Check LENSFORGE_AUTH_URL, or log in with --auth-url');
  }
}

async function credential(session: Session): Promise<Check> {
  if (!session.hasCredential) return failed('credential', 'none. Log in with: lensforge login');
  const from = session.environmentToken ? 'LENSFORGE_API_KEY' : `profile ${session.profileName}`;
  try {
    const { credential: found } = await session.client.me.get({ ...session.call, maxRetries: 0 });
    const until = found.expiresAt ? `, until ${time(found.expiresAt)}` : '';
    return passed('credential', `${found.kind} token of ${from}${until}`);
  } catch (error) {
    session.signal.throwIfAborted();
    if (!(error instanceof LensforgeError)) throw error;
    const advice =
      error instanceof ApiError && error.code === 'unauthorized' ? '. Log in again with: lensforge login' : '';
    return failed('credential', `of ${from}: ${error.message}${advice}`);
  }
}

const doctor: Command = {
  name: 'doctor',
  summary: 'Check the program, its settings, the platform and the credential',
  async run(session) {
    const exposed = await session.store.isExposed();
    const checks = [
      passed('program', `lensforge ${version} on Node.js ${process.versions.node}`),
      exposed
        ? failed('settings', `other users can read ${session.store.file}: run chmod 600 on it`)
        : passed('settings', session.store.file),
      ...(await api(session)),
      await signIn(session),
      await credential(session),
    ];
    session.show(checks, () =>
      table(
        [
          ['', ({ ok }) => (ok ? 'ok' : 'FAILED')],
          ['check', ({ check }) => check],
          ['result', ({ result }) => result],
        ],
        checks,
        200,
      ),
    );
    const faults = checks.filter(({ ok }) => !ok).length;
    if (faults > 0) throw new CommandFault(`${faults} of ${checks.length} checks failed`, 'Each line says what to do');
  },
};

export const doctorCommands: readonly Command[] = [doctor];
