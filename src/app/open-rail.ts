import { join } from 'node:path';
import type { Logger } from 'pino';
import { noteLastUse } from '../accounts/keys/last-used.ts';
import { authenticateAccount } from '../accounts/sessions/authenticate.ts';
import { authenticateStaffOf } from '../identity/sessions/authenticate.ts';
import { COOKIES } from '../platform/access/cookies.ts';
import { countRequests } from '../accounts/requests/count.ts';
import { CitizenAccessLog } from '../platform/audit/citizen-access.ts';
import { AuditTrail } from '../platform/audit/trail.ts';
import { Limits } from '../platform/call/limits/limits.ts';
import { Slots } from '../platform/call/limits/slots.ts';
import { ensureSigningKey } from '../platform/access/tokens/signing-keys.ts';
import { openVault } from '../platform/access/vault.ts';
import { openAgencies } from '../adapters/agencies/agencies.ts';
import type { Agencies, RegisteredEndpoint } from '../adapters/agencies/port.ts';
import { openIdentity } from '../adapters/identity/identity.ts';
import { openCapturingMailer } from '../adapters/mail/capture.ts';
import { addressOf } from './address.ts';
import { openAggregators } from '../adapters/payment/aggregators.ts';
import { measureCalls } from '../adapters/payment/measured.ts';
import { openGateways } from '../adapters/sms/gateways.ts';
import type { SignOnProvider } from '../adapters/sign-on/port.ts';
import { thresholdsOf } from '../collection/anomalies/thresholds.ts';
import type { Enquirer } from '../adapters/billers/port.ts';
import type { Rail } from '../platform/call/call.ts';
import { ConfigError, reasonOf } from '../kernel/refusal.ts';
import type { Config } from '../platform/config/config.ts';
import type { SingleSignOn } from '../platform/config/single-sign-on.ts';
import { ADMIN } from '../platform/config/started-by.ts';
import { NO_ANALYTICS } from '../platform/analytics/analytics.ts';
import { Copy } from '../platform/analytics/copy.ts';
import { emptyForeignFeed } from '../platform/analytics/feed.ts';
import { Clock, type Hands, ownHands } from '../platform/database/clock.ts';
import { Docnames } from '../platform/database/docnames.ts';
import { isPassing } from '../platform/database/errors.ts';
import { Listener } from '../platform/database/listener.ts';
import { HOUR_MS } from '../kernel/time.ts';
import { makeMonths } from '../platform/audit/months.ts';
import { isContract } from '../platform/database/migration/list.ts';
import { listLater } from '../platform/database/migration/contract.ts';
import { listMissing, migrate } from '../platform/database/migration/migrate.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { WORK_CHANNEL, WorkSignal } from '../platform/change/work-signal.ts';
import { Presence } from '../platform/database/presence.ts';
import { sql } from '../platform/database/sql.ts';
import { takeStep } from '../oversight/common/steps.ts';
import { FACTS, VIEWS } from '../oversight/facts/facts.ts';
import { STREAM_CHANNEL } from '../oversight/events/place.ts';
import { checkDatabase } from './process/check-database.ts';
import { claimDatabase, refuseEmbedded } from './process/database-mode.ts';
import { type Located, locateDatabase } from './process/locate-database.ts';
import { refuseSandboxDatabase } from '../sandbox/sandbox-database.ts';
import { seedSandbox } from '../sandbox/seed.ts';

/** Each waits for up to 25 s, and looks twice a second. */
const POLLS = { what: 'requests that wait for events', perCaller: 5, perProcess: 200 };
const STREAMS = { what: 'streams', perCaller: 5, perProcess: 50 };
/** Each reads pages and writes them for as long as its reader takes; a fifth would leave little to others. */
const EXPORTS = { what: 'exports', perCaller: 2, perProcess: 4 };

/** Each reads whole files, of months of everybody's requests. */
const ARCHIVE = { what: 'readings of the archive', perCaller: 1, perProcess: 2 };

/** Those that wait for the copy take memory alone; two at a time are computed. */
const FIGURES = { what: 'queries of figures', perCaller: 20, perProcess: 100 };

export interface OpenRail {
  readonly rail: Rail;
  /** Closes all that it is made of, except the server of its database. */
  disconnect(): Promise<void>;
  /** Closes all of it; an embedded server that nobody else uses is stopped, which takes as long as a checkpoint. */
  close(): Promise<void>;
}

/**
 * Opens a rail with its configuration: a database at this version, the catalogue of a new sandbox, and the adapters. If
 * `stop` is aborted meanwhile, everything opened is closed again, and its reason is thrown. `located` is its database,
 * if somebody has found it already.
 */
export async function openRail(
  config: Config,
  log: Logger,
  hands: Hands = ownHands,
  stop?: AbortSignal,
  located: Promise<Located> = locateDatabase(config, log, stop),
): Promise<OpenRail> {
  const { url, release } = await located;
  const opened = new AsyncDisposableStack();
  const disconnect = () => opened.disposeAsync();
  const close = async () => {
    try {
      await disconnect();
    } finally {
      await release();
    }
  };
  try {
    return { rail: await open(config, url, log, hands, opened, stop), disconnect, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a rail; all that was opened is closed in reverse, even if the rail never got as far as serving. */
async function open(
  config: Config,
  url: string,
  log: Logger,
  hands: Hands,
  opened: AsyncDisposableStack,
  stop?: AbortSignal,
): Promise<Rail> {
  // A wrong file stops the start, and not the first question for it.
  thresholdsOf(config);
  stop?.throwIfAborted();
  await checkDatabase(url);
  const later = await listLater(url);
  refuseContracted(later);
  if (later.length > 0) log.warn({ later }, 'the database has migrations of a later version');
  if (config.migrate) {
    const applied = await migrate(url);
    if (applied.length > 0) log.info({ applied }, 'database migrated');
  } else await refuseUnmigrated(url);
  stop?.throwIfAborted();
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost');
  const pools = openDatabase({ url, replicaUrl: config.databaseReplicaUrl }, config.databasePool, lost);
  opened.defer(() => pools.close());
  const clock = await Clock.start(pools.background.db, log, hands);
  opened.defer(() => clock.end());
  const now = () => clock.now();
  const presence = await Presence.announce(url, lost);
  opened.defer(() => presence.end());
  const { db, prisma, oversight, transaction, background, health } = pools;
  const callDurations = measureCalls();
  const streamSignal = new Listener(url, STREAM_CHANNEL, lost);
  opened.defer(() => streamSignal.end());
  const workListener = new Listener(url, WORK_CHANNEL, lost);
  opened.defer(() => workListener.end());
  const docnames = new Docnames(db);
  await refuseUnfit(db, config);
  await claimDatabase(db, config.mode, now());
  if (await emptyForeignFeed(db)) log.info('the database came from another server: copies of facts are made again');
  const prepareMonths = makeMonths({ db: background.db, now, log });
  const warn = (error: unknown) => log.warn({ err: error }, 'the tables of the months to come were not made');
  await prepareMonths().catch((error: unknown) => {
    // As where a table is in use for long; rows without a month's table are kept, and it is tried again.
    if (!isPassing(error)) throw error;
    warn(error);
  });
  // In each process, since none of them may run jobs.
  const months = setInterval(() => void prepareMonths().catch(warn), HOUR_MS);
  opened.defer(() => clearInterval(months));
  if (config.mode === 'live') {
    if (await isSuperuser(db))
      log.warn(
        'The database role is a superuser, which can switch off what keeps records from being rewritten; use one that is none',
      );
  }
  // In the background's time: another process may take long to fill it.
  else await seedSandbox({ transaction: background.transaction, now });
  stop?.throwIfAborted();
  const audit = new AuditTrail(pools.audit, log, (uses) => [countRequests(uses), noteLastUse(uses)]);
  opened.defer(() => audit.flush());
  const citizenAccess = new CitizenAccessLog(pools.audit, log);
  opened.defer(() => citizenAccess.flush());
  const { smtpUrl, mailFrom, dataDir } = config;
  const mailer = smtpUrl
    ? (await import('../adapters/mail/smtp.ts')).openSmtpMailer(smtpUrl, mailFrom)
    : openCapturingMailer(join(dataDir, 'mail'), mailFrom);
  opened.defer(() => mailer.close());
  if (config.mode === 'live' && !smtpUrl)
    log.warn('SMTP_URL is none: mail is only written to files, and nobody gets it');
  if (config.mode === 'live' && config.securityContact === null)
    log.warn('SECURITY_CONTACT is not set: nobody learns where to report a vulnerability');
  const sms = await openGateways({ mode: config.mode, connections: config.connections.sms, dataDir });
  for (const gateway of sms.values()) opened.defer(() => gateway.close?.());
  const agencies = await connectAgencies(db, config);
  opened.defer(() => agencies.close());
  const { mode, callbackSecrets, providers } = config;
  const connections = config.connections.providers;
  const aggregators = await openAggregators({
    mode,
    providers,
    connections,
    callbackSecrets,
    origin: () => rail.origin,
    now,
    callDurations,
  });
  for (const { adapter } of aggregators.values()) opened.defer(() => adapter.close?.());
  const enquirers = await openEnquirers(config);
  for (const enquirer of enquirers.values()) opened.defer(() => enquirer.close());
  const vault = await openVault(db, config.secretKeys);
  for (const use of ['token', 'receipt'] as const)
    if (await ensureSigningKey({ db, vault, now }, use))
      log.warn({ use }, 'A key that signs was sealed under another SECRET_KEY: a new one was made in its place');
  const signOn = config.singleSignOn && (await openSignOn(config.singleSignOn));
  if (signOn) opened.defer(() => signOn.close());
  const { oversightFiles: folder } = config;
  const files = folder === null ? null : (await import('../oversight/revenue/datasets/fill.ts')).paymentFiles(folder);
  const analytics = config.analytics
    ? new Copy(pools.facts, FACTS, { folder: join(dataDir, 'analytics'), files: folder, ...config.analytics }, log, {
        views: VIEWS,
        consequence: (copy) => takeStep(copy, background.db),
        files,
      })
    : NO_ANALYTICS;
  opened.defer(() => analytics.close());
  const rail: Rail = {
    config,
    origin: addressOf(config),
    draining: false,
    prisma,
    db,
    oversight,
    analytics,
    transaction,
    background,
    pools: pools.pools,
    health,
    streamSignal,
    work: new WorkSignal(workListener, log),
    docnames,
    presence: presence.id,
    sessions: { [COOKIES.integrator]: authenticateAccount, [COOKIES.staff]: authenticateStaffOf(config) },
    agencies,
    identity: openIdentity(agencies),
    signOn,
    aggregators,
    enquirers,
    callDurations,
    mailer,
    sms,
    vault,
    limits: new Limits(config.limits, db),
    slots: {
      streams: new Slots(STREAMS),
      polls: new Slots(POLLS),
      exports: new Slots(EXPORTS),
      archive: new Slots(ARCHIVE),
      figures: new Slots(FIGURES),
    },
    audit,
    citizenAccess,
    log,
    clock,
    now,
  };
  return rail;
}

export async function openSignOn({ issuer, clientId, clientSecret, mapping }: SingleSignOn): Promise<SignOnProvider> {
  const { openOpenid } = await import('../adapters/sign-on/openid.ts');
  const { scopes, second_factor, claim, email_verified_claim, timeout_ms, ca } = mapping;
  const claims = [['email'], email_verified_claim, claim];
  return openOpenid({
    issuer,
    clientId,
    clientSecret,
    scopes,
    acr: second_factor.acr,
    claims,
    timeoutMs: timeout_ms,
    ca,
  });
}

/** Keeps a live rail off the PostgreSQL that comes with the rail, and off what a sandbox has made up. */
export async function refuseUnfit(db: Rail['db'], config: Config): Promise<void> {
  if (config.mode !== 'live') return;
  await refuseEmbedded(db, config);
  await refuseSandboxDatabase(db);
}

/** The registry of endpoints. */
export function listEndpoints(db: Rail['db']): Promise<RegisteredEndpoint[]> {
  return db.rows<RegisteredEndpoint>(
    sql`select id, method, path, agency_kind as "agencyKind", auth_mode as "authMode" from agency_endpoint`,
  );
}

/** Opens enquiries at the payment points that offer them. */
async function openEnquirers({ billers }: Config): Promise<ReadonlyMap<string, Enquirer>> {
  const askable = billers.flatMap(({ name, enquiries, secrets: [secret = null] }) =>
    enquiries ? [{ name, enquiries, secret }] : [],
  );
  if (askable.length === 0) return new Map();
  const { openEnquirer } = await import('../adapters/billers/enquirer.ts');
  return new Map(askable.map(({ name, enquiries, secret }) => [name, openEnquirer(name, enquiries, secret)]));
}

/** The agencies of the registry, as far as they are connected. */
async function connectAgencies(db: Rail['db'], { mode, connections }: Config): Promise<Agencies> {
  const registry = await listEndpoints(db);
  try {
    return await openAgencies({ mode, registry, connected: connections.agencies });
  } catch (error) {
    throw new ConfigError(`CONNECTIONS: ${reasonOf(error)}`);
  }
}

/** A later version has dropped what this one needs. */
function refuseContracted(later: readonly string[]): void {
  const contract = later.find(isContract);
  if (contract)
    throw new ConfigError(
      `DATABASE_URL: a later version has applied ${contract}, after which this one cannot use the database; start the later version`,
    );
}

async function refuseUnmigrated(url: string): Promise<void> {
  const [first, ...others] = await listMissing(url);
  if (first)
    throw new ConfigError(
      `DATABASE_URL: the database lacks ${first}${others.length > 0 ? ` and ${others.length} more` : ''} of this version; run ${ADMIN} migrate with the role that owns it (or set MIGRATE=on)`,
    );
}

async function isSuperuser(db: Rail['db']): Promise<boolean> {
  const row = await db.row<{ superuser: boolean }>(
    sql`select rolsuper as superuser from pg_roles where rolname = current_user`,
  );
  return row?.superuser ?? false;
}
