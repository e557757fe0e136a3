import { BadEnvironment, readEnvironment, settingWarnings } from '@lensforge/edge';
import { OperatorEnvironment } from '../environment.js';
import { type Finding, fault, ok, warning } from './finding.js';

type Source = Readonly<Record<string, string | undefined>>;

const publicUrls = ['LENSFORGE_PUBLIC_API_URL', 'LENSFORGE_PUBLIC_MCP_URL', 'LENSFORGE_PUBLIC_OAUTH_URL'] as const;

/** Reads the settings; `environment` is absent when they are unusable. */
export function checkConfiguration(source: Source): { environment?: OperatorEnvironment; findings: Finding[] } {
  try {
    const environment = readEnvironment(OperatorEnvironment, source);
    const missing = environment.production ? publicUrls.filter((name) => environment[name] === undefined) : [];
    const warnings = [
      ...settingWarnings(environment, source),
      ...missing.map((name) => `${name} is not set: responses name the address that each client uses`),
      ...(environment.production ? [] : [`NODE_ENV is ${environment.NODE_ENV}, which accepts risky settings`]),
    ];
    const findings = warnings.map((text) => warning('configuration', text));
    return { environment, findings: findings.length > 0 ? findings : [ok('configuration', 'is valid')] };
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    return {
      findings: [fault('configuration', `${error.message}\nCorrect it; docs/configuration.md has all settings`)],
    };
  }
}
