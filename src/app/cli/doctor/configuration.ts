import { ConfigError } from '../../../kernel/refusal.ts';
import { type Config, readConfig } from '../../../platform/config/config.ts';
import { type Check, failed, ok, warning } from './check.ts';

const VARIABLES = /^[A-Z_\d]+(?:, [A-Z_\d]+)*(?=:)/;

/**
 * Reads a configuration that may be wrong: what is wrong is named and set aside, until the rest can be read. A live rail
 * that lacks something is read as a sandbox is, and stays live.
 */
export function examine(env: Readonly<Record<string, string | undefined>>): {
  readonly config: Config | null;
  readonly problems: readonly string[];
} {
  const left = { ...env };
  const problems: string[] = [];
  const gone = new Set<string>();
  for (;;) {
    try {
      const config = readConfig(left);
      return { config: env['MODE'] === 'live' ? { ...config, mode: 'live' } : config, problems };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      let progress = false;
      for (const problem of error.message.split(/; (?=[A-Z_\d]+:)/)) {
        const names = VARIABLES.exec(problem)?.[0].split(', ') ?? [];
        // Settings that are missing only because they were set aside are not reported.
        if (!names.every((name) => gone.has(name))) problems.push(problem);
        for (const name of [...names, ...setAsideWith(names, left)]) {
          progress ||= left[name] !== undefined;
          delete left[name];
          gone.add(name);
        }
      }
      if (!progress) return { config: null, problems };
    }
  }
}

/** Sets aside settings that ask for a missing one; a missing one cannot be set aside itself. */
function setAsideWith(names: readonly string[], left: Readonly<Record<string, string | undefined>>): string[] {
  if (names.some((name) => left[name] !== undefined)) return [];
  return names.some((name) => name.startsWith('OIDC_'))
    ? Object.keys(left).filter((name) => name.startsWith('OIDC_'))
    : ['MODE'];
}

export function configurationCheck(config: Config | null, problems: readonly string[]): Check {
  return {
    name: 'configuration',
    run: async () => {
      const wrong = problems.map((problem) => failed(problem, 'See Configuration in docs/operators.md'));
      if (wrong.length > 0 || config === null) return wrong;
      const { mode, opsPort, securityContact } = config;
      const live = mode === 'live';
      const lacking = [
        ...(live && opsPort === null ? [warning('there are no metrics', 'Set OPS_PORT', 'OPS_PORT')] : []),
        ...(live && securityContact === null
          ? [warning('nobody learns where to report a vulnerability', 'Set SECURITY_CONTACT', 'SECURITY_CONTACT')]
          : []),
      ];
      return [ok(`${mode} mode, every variable can be read`), ...lacking];
    },
  };
}
