import type { Logger } from 'pino';
import type { Analytics } from '../analytics/analytics.ts';
import type { CitizenAccessLog } from '../audit/citizen-access.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Once } from '../change/idempotency.ts';
import { askerOf } from './limits/asker.ts';
import type { Limits } from './limits/limits.ts';
import type { Slots } from './limits/slots.ts';
import { type Source, inside } from './source.ts';
import type { Sessions } from '../access/cookies.ts';
import type { Vault } from '../access/vault.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Agencies } from '../../adapters/agencies/port.ts';
import type { Enquirer } from '../../adapters/billers/port.ts';
import type { IdentityAuthority } from '../../adapters/identity/port.ts';
import type { Mailer } from '../../adapters/mail/port.ts';
import type { Aggregators } from '../../adapters/payment/aggregators.ts';
import type { CallDurations } from '../../adapters/payment/measured.ts';
import type { SmsGateways } from '../../adapters/sms/gateways.ts';
import type { SignOnProvider } from '../../adapters/sign-on/port.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../database/clock.ts';
import type { Docnames } from '../database/docnames.ts';
import type { DatabaseHealth } from '../database/health.ts';
import type { WorkSignal } from '../change/work-signal.ts';
import type { Listener } from '../database/listener.ts';
import type { Pools, Reach } from '../database/open-database.ts';
import type { Database } from '../database/sql.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';

/** What is at hand everywhere: in verbs, jobs and commands. */
export interface Tools {
  readonly config: Config;
  /** Where people and integrators reach the rail, without a trailing slash; known for sure once it listens. */
  readonly origin: string;
  readonly db: Database;
  /** What oversight reads by: its own views alone. */
  readonly oversight: Database;
  /** Where figures are computed, from a copy of what oversight may see. */
  readonly analytics: Analytics;
  /** Tells background work that something has changed. */
  readonly work: WorkSignal;
  readonly docnames: Docnames;
  readonly vault: Vault;
  readonly log: Logger;
  /** The time by the database's clock, so that moments compared across processes mean the same on all of them. */
  now(): Date;
}

/** A running process; made once, at the start. */
export interface Rail extends Tools {
  origin: string;
  /** Whether the process was asked to stop, and tells senders of requests to send them elsewhere. */
  draining: boolean;
  prisma(): Promise<PrismaClient>;
  /** Runs statements as one transaction, again where it lost against another; for the rare thing that does not fit one. */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>;
  /** How background work reaches the database: on connections of its own, on which statements may take longer. */
  readonly background: Reach;
  /** The connections of all of these, for metrics. */
  readonly pools: Pools;
  /** Whether the database answers and takes writes at present. */
  readonly health: DatabaseHealth;
  /** Hears when the stream of oversight has grown. */
  readonly streamSignal: Listener;
  /** The number under which other processes see that this one lives. */
  readonly presence: number;
  /** How sessions are found. */
  readonly sessions: Sessions;
  readonly agencies: Agencies;
  readonly identity: IdentityAuthority;
  /** Where staff sign in; null: here, by password. */
  readonly signOn: SignOnProvider | null;
  readonly aggregators: Aggregators;
  /** How payment points are asked that can be, by their names. */
  readonly enquirers: ReadonlyMap<string, Enquirer>;
  /** How long their calls took. */
  readonly callDurations: CallDurations;
  readonly mailer: Mailer;
  /** What takes texts to payers. */
  readonly sms: SmsGateways;
  readonly limits: Limits;
  /** What goes on for long, and of which each caller may have some at a time. */
  readonly slots: {
    readonly streams: Slots;
    readonly polls: Slots;
    readonly exports: Slots;
    readonly archive: Slots;
    readonly figures: Slots;
  };
  readonly audit: AuditTrail;
  /** Books who was shown which citizen. */
  readonly citizenAccess: CitizenAccessLog;
  /** The database's clock, and how far this machine's is from it. */
  readonly clock: Clock;
}

/** A rail as jobs and commands see it, which may take their time. */
export function openBackground(rail: Rail): Rail {
  const { db, transaction } = rail.background;
  return { ...rail, db, transaction };
}

/**
 * One request, or one run of a job: who calls, and what verbs have at hand. What few of them need is in `rail`, of the
 * process, and in `transport`, of the request.
 */
export interface Call extends Tools {
  /** The process. It has no part in a transaction of the call, which has its own `db`. */
  readonly rail: Rail;
  readonly viewer: Viewer;
  readonly requestId: string;
  readonly transport: Transport;
  /** Set where the caller sent an `Idempotency-Key`. */
  once: Once | null;
}

/** The request that a call is, as its transport knows it. Copies of the call share it. */
interface Transport {
  readonly source: Source;
  /** What the caller says that it reads for, in its own words; null where it says nothing. */
  readonly statedPurpose: string | null;
  /**
   * Looks again who calls: what goes on for long asks whether the credential that began it still holds. Refuses where a
   * key does not.
   */
  readonly reauthenticate: () => Promise<Viewer>;
  /** Aborted when the request is over: it was answered to its end, or its client left. */
  readonly over: AbortSignal;
  /** `Set-Cookie` lines that the answer is to carry. */
  readonly cookies: string[];
  /** Whether the transport has counted this request against the limit of its address. */
  admitted: boolean;
  /** What figures leave for the transport to add: as of when they are. */
  readonly meta: { asOf: Date | null };
  /** Where the reader of a stream is: what it resumes after, then what it was last sent. */
  readonly stream: { cursor: string | null };
}

/** What of a request is known from its beginning; a job has none. */
type Sent = Pick<Transport, 'source' | 'statedPurpose' | 'reauthenticate' | 'over' | 'stream'>;

const NEVER = new AbortController().signal;

export function callOf(rail: Rail, viewer: Viewer, requestId: string, sent: Partial<Sent> = {}): Call {
  const { source = inside, statedPurpose = null, reauthenticate = async () => viewer, over } = sent;
  const { config, origin, db, oversight, work, docnames, vault, log, now } = rail;
  const transport: Transport = {
    source,
    statedPurpose,
    reauthenticate,
    over: over ?? NEVER,
    cookies: [],
    admitted: false,
    meta: { asOf: null },
    stream: sent.stream ?? { cursor: null },
  };
  const asker = source === inside ? undefined : askerOf(rail, { viewer, transport });
  const analytics = rail.analytics.atOnce(asker, over);
  const tools = { config, origin, db, oversight, analytics, work, docnames, vault, log, now };
  return { ...tools, rail, viewer, requestId, transport, once: null };
}

/** The header that says as of when figures and lists of oversight are, the earliest of them; none on other answers. */
export function sayAsOf({ transport, analytics: { askedAsOf } }: Call): Record<string, string> {
  const { asOf } = transport.meta;
  const earliest = asOf && askedAsOf && askedAsOf < asOf ? askedAsOf : (asOf ?? askedAsOf);
  return earliest ? { 'As-Of': earliest.toISOString() } : {};
}
