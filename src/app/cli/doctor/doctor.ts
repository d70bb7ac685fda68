import type { Config } from '../../../platform/config/config.ts';
import { agencyCheck, providerChecks, signOnCheck } from './adapters.ts';
import { backupCheck } from './backups.ts';
import { certificateChecks } from './certificates.ts';
import { type Check, type Result, runChecks } from './check.ts';
import { configurationCheck, examine } from './configuration.ts';
import { databaseChecks } from './database.ts';
import { diskCheck } from './disk.ts';
import { mailCheck } from './mail.ts';
import { replicationChecks } from './replication.ts';
import { rightsCheck } from './rights.ts';
import { sealedCheck, secretsCheck } from './secrets.ts';
import { Session } from './session.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks a rail, as far as its configuration can be read; what is broken keeps nothing else from being checked. */
export async function examineRail(env: Environment): Promise<Result[]> {
  const { config, problems } = examine(env);
  const first = configurationCheck(config, problems);
  if (config === null) return runChecks([first]);
  const session = Session.open(config);
  try {
    return await runChecks([first, ...listChecks(config, env, session)]);
  } finally {
    await session.close();
  }
}

function listChecks(config: Config, env: Environment, session: Session): Check[] {
  return [
    ...databaseChecks(session, config),
    rightsCheck(session, config),
    ...replicationChecks(session, config),
    mailCheck(config),
    ...providerChecks(config),
    agencyCheck(session, config),
    ...signOnCheck(config),
    ...certificateChecks(config),
    diskCheck(session, config),
    secretsCheck(config, env),
    ...sealedCheck(session, config),
    backupCheck(config),
  ];
}
