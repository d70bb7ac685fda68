import { setTimeout as sleep } from 'node:timers/promises';
import { stepAside } from '../../adapters/http/step-aside.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { ifGiven } from '../../platform/reading/conditions.ts';
import { type Listing, type Page, type PageArgs, readPage } from '../../platform/reading/page.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { ownerOf, whereOwn } from './owner.ts';
import { type Envelope, expandTypes, readTypes } from './event-types.ts';
import { type Enveloped, envelopeOf } from './envelope.ts';
import { KEPT_DAYS } from './listening.ts';

/** A message as those who fetch get it: its id is its place in the list. */
export type LoggedEvent = Enveloped & { readonly name: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Interval of look-ups while a caller waits. */
const LOOK_MS = 500;
export const LONGEST_WAIT_SECONDS = 25;

interface Asked {
  readonly types?: readonly string[] | null | undefined;
  /** Seconds to wait for the first message if there is none. */
  readonly wait?: number | null | undefined;
}

function listing(call: Call, types: readonly string[] | null | undefined): Listing {
  const since = new Date(call.now().getTime() - KEPT_DAYS * DAY_MS);
  return {
    select: sql`
      select r.message as name, r.message, o.type, o.object, o.sequence, o.payload, o.created_at as "createdAt"
      from event_log r join outbox o on o.id = r.message`,
    table: 'event_log',
    named: (name) => (UUID.test(name) ? sql`r.message = ${name}::uuid` : null),
    order: ['position'],
    direction: 'asc',
    where: [whereOwn(call.viewer), sql`r.created_at > ${since}`],
    filters: [ifGiven(types, (asked) => sql`r.type = any(${expandTypes(asked)})`)],
  };
}

/**
 * The messages of the caller's account or agency, oldest first. Who asks counts as listening from then on, so that
 * payment events are among them. With `wait`, an empty page is answered once there is a message, or after so long.
 */
export async function listOwnEvents(call: Call, { types, wait }: Asked, page: PageArgs): Promise<Page<LoggedEvent>> {
  const asked = types == null ? null : readTypes(types);
  const read = () => readPage<LoggedEvent>(call, listing(call, asked), page);
  await noteReading(call);
  const found = await read();
  const waits = Math.min(wait ?? 0, LONGEST_WAIT_SECONDS);
  return found.rows.length > 0 || waits <= 0 ? found : waitFor(call, read, waits);
}

/** Reads again and again until there is a message, the time is up, the caller leaves, or the process ends. */
async function waitFor(
  call: Call,
  read: () => Promise<Page<LoggedEvent>>,
  seconds: number,
): Promise<Page<LoggedEvent>> {
  call.rail.slots.polls.take(call);
  const until = performance.now() + seconds * 1_000;
  let found: Page<LoggedEvent>;
  do {
    await stepAside(() => sleep(Math.min(LOOK_MS, Math.max(0, until - performance.now()))));
    // A key that was revoked meanwhile, or an account that was suspended, is told nothing.
    const refusal = findRefusal(await call.transport.reauthenticate(), 'account.events');
    if (refusal) throw refusal;
    found = await read();
  } while (
    found.rows.length === 0 &&
    performance.now() < until &&
    !call.transport.over.aborted &&
    !call.rail.streamSignal.ended
  );
  return found;
}

/** One message of the caller's, as it was sent. */
export async function getOwnEvent(call: Call, id: string): Promise<Envelope> {
  const { rows } = UUID.test(id)
    ? await readPage<LoggedEvent>(
        call,
        { ...listing(call, null), filters: [sql`r.message = ${id}::uuid`] },
        { first: 1 },
      )
    : { rows: [] };
  const [event] = rows;
  if (!event) throw new Refusal('not_found', say`The event does not exist`);
  return envelopeOf(event);
}

/** Notes, once an hour, that an account or agency fetches. */
async function noteReading({ db, viewer, now }: Call): Promise<void> {
  const { integrator, agency } = ownerOf(viewer);
  const at = now();
  const hourAgo = new Date(at.getTime() - 3_600_000);
  await db.rows(
    agency === null
      ? sql`insert into event_reader as r (integrator, read_at) select code, ${at} from integrator where code = ${integrator}
          on conflict (integrator) do update set read_at = excluded.read_at where r.read_at < ${hourAgo}`
      : sql`insert into event_reader as r (agency, read_at) values (${agency}, ${at})
          on conflict (agency) do update set read_at = excluded.read_at where r.read_at < ${hourAgo}`,
  );
}
