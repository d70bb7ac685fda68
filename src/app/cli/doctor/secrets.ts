import { statSync } from 'node:fs';
import { openJudge } from '../../../identity/passwords/rules.ts';
import { Vault } from '../../../platform/access/vault.ts';
import type { Config } from '../../../platform/config/config.ts';
import { sql } from '../../../platform/database/sql.ts';
import { type Check, type Finding, failed, ok, warning } from './check.ts';
import type { Reached, Session } from './session.ts';

/** Least guesses, as a power of ten: by somebody who knows words and names, and by chance. */
const LEAST_GUESSES = { obvious: 12, weak: 16 };
/** Characters of a secret that are judged, which takes time that grows with them. */
const LONGEST_JUDGED = 64;

/** Secrets of the rail's own: which are easily guessed, stand for several, or lie open. */
export function secretsCheck(config: Config, env: Readonly<Record<string, string | undefined>>): Check {
  return {
    name: 'secrets',
    run: async () => {
      const judge = await openJudge();
      const findings: Finding[] = [];
      const holders = new Map<string, string>();
      for (const [name, value = ''] of Object.entries(env)) {
        if (!/^(SECRET_KEY|WEBHOOK_SECRET_\w+|OIDC_CLIENT_SECRET)$/.test(name) || value === '') continue;
        for (const secret of value.split(',').map((one) => one.trim())) {
          const other = holders.get(secret);
          if (other !== undefined && other !== name)
            findings.push(failed(`is the same as ${other}`, 'Make another: openssl rand -base64 48', name));
          holders.set(secret, name);
          // Its strength is up to the identity provider that made it.
          if (name === 'OIDC_CLIENT_SECRET') continue;
          const { guessesLog10 } = judge.check(secret.slice(0, LONGEST_JUDGED));
          const advice = 'Replace it: openssl rand -base64 48';
          if (guessesLog10 < LEAST_GUESSES.obvious) findings.push(failed('is easily guessed', advice, name));
          else if (guessesLog10 < LEAST_GUESSES.weak) findings.push(warning('can be guessed', advice, name));
        }
      }
      const { CONNECTIONS: file } = env;
      if (file && process.platform !== 'win32' && (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o044)
        findings.push(warning(`${file} can be read by others`, `Run: chmod 600 ${file}`, 'CONNECTIONS'));
      if (config.secretKeys === null && config.mode === 'sandbox')
        return [ok('a sandbox makes up its own'), ...findings];
      return findings.length > 0 ? findings : ok(`${holders.size}, none of them weak or used twice`);
    },
  };
}

interface Sealed {
  readonly purpose: 'token' | 'receipt' | 'second_factor' | 'webhook';
  readonly owner: string;
  readonly sealed: Buffer;
}

/** Checks that `SECRET_KEY` opens what is kept for long: a start under another one only makes new signing keys. */
export function sealedCheck(session: Session, { secretKeys }: Config): Check[] {
  if (secretKeys === null) return [];
  const vault = new Vault(secretKeys);
  const run = async ({ db }: Reached): Promise<Finding> => {
    const rows = await db.rows<Sealed>(sql`
      select use::text as purpose, kid as owner, private_key as sealed from signing_key where expires_at is null
      union all select 'second_factor', staff, sealed from staff_second_factor where sealed is not null
      union all select 'webhook', case when is_default then integrator else name end, secret
        from webhook_endpoint where secret is not null`);
    const opened = rows.filter(({ purpose, owner, sealed }) => vault.open(purpose, owner, sealed) !== null).length;
    if (opened === rows.length) return ok(`SECRET_KEY opens all ${opened}`);
    return failed(
      `SECRET_KEY opens ${opened} of ${rows.length}, which were sealed under another`,
      'Set the SECRET_KEY that the rail had; while it is replaced, both: new,old',
    );
  };
  return [session.check('sealed secrets', run, 'webhook_endpoint')];
}
