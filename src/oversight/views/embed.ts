import { randomBytes, randomUUID } from 'node:crypto';
import { refuseAllButStaff } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { type Stored, columnsOf } from '../../platform/database/record.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal, refuseValue } from '../../kernel/refusal.ts';
import { say } from '../../kernel/text/said.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { READER, type Reader } from './reader.ts';
import { isOfFigures } from './save.ts';

/** A chart that somebody embeds, with what its address ends with. */
export interface EmbeddedChart extends Stored<'EmbeddedChart'> {
  readonly token: string;
}

const columns = sql`${columnsOf('EmbeddedChart')}, r.token`;

/** Most charts that somebody may embed at a time. */
export const MOST_EMBEDDED = 50;
/** The longest that one is shown. */
export const MOST_DAYS = 365;

const TOKEN_BYTES = 24;

export const CHART_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

interface Embedded {
  readonly name: string;
  readonly page: string;
  readonly chart: string;
  readonly days: number;
}

/** The address at which an embedded chart is shown to everybody. */
export const addressOf = ({ origin }: Pick<Call, 'origin'>, { token }: EmbeddedChart): string =>
  `${origin}/embed/${token}.svg`;

/** The charts that the caller embeds and that are still shown, newest first. */
export function listEmbedded({ db, viewer, now }: Call): Promise<EmbeddedChart[]> {
  return db.rows<EmbeddedChart>(sql`
    select ${columns} from embedded_chart r
    where r.owner = ${viewer.actor} and r.expires_at > ${now()} order by r.created_at desc, r.id`);
}

/** The chart of a token, and for whom it is read; null where it is not shown any more, or its owner has left. */
export function findEmbedded({ db, now }: Call, token: string): Promise<(EmbeddedChart & Reader) | null> {
  return db.row<EmbeddedChart & Reader>(sql`
    select ${columns}, ${READER} from embedded_chart r join staff u on u.email = r.owner and u.active
    where r.token = ${token} and r.expires_at > ${now()}`);
}

/** Gives a chart of a page an address of its own, which shows it to everybody as the caller may see it. */
export async function embedChart(call: Call, { name, page, chart, days }: Embedded): Promise<EmbeddedChart> {
  const { actor, kind } = call.viewer;
  if (kind !== 'staff') throw refuseAllButStaff();
  if (!isOfFigures(page)) throw refuseValue('page', say`must be that of a page of figures`);
  if (!CHART_NAME.test(chart)) throw refuseValue('chart', say`must be the name of a chart`);
  const id = randomUUID();
  const at = call.now();
  const expiresAt = new Date(at.getTime() + days * DAY_MS);
  const embedded = guard`
    insert into embedded_chart (id, token, owner, name, page, chart, created_at, expires_at)
    select ${id}, ${randomBytes(TOKEN_BYTES).toString('base64url')}, ${actor}, ${name}, ${page}, ${chart}, ${at},
      ${expiresAt}
    where (select count(*) from embedded_chart where owner = ${actor} and expires_at > ${at}) < ${MOST_EMBEDDED}
    returning id`;
  const after = { name, page, chart, expires_at: expiresAt };
  const operated = { action: 'chart.embed', subject: id, before: null, after, reason: null };
  if (!(await commit(call, { subject: id, guard: embedded, operated })))
    throw refuseValue('name', say`must not be of more than ${MOST_EMBEDDED} embedded charts`);
  return getEmbedded(call, id);
}

/** One of the caller's. */
export async function getEmbedded(call: Call, id: string): Promise<EmbeddedChart> {
  const found = await call.db.row<EmbeddedChart>(sql`
    select ${columns} from embedded_chart r where r.id::text = ${id} and r.owner = ${call.viewer.actor}`);
  if (!found) throw refuseEmbedded();
  return found;
}

/** Stops showing one of the caller's embedded charts. */
export async function removeEmbedded(call: Call, id: string): Promise<true> {
  const removed = guard`
    delete from embedded_chart where id::text = ${id} and owner = ${call.viewer.actor} returning id`;
  const operated = { action: 'chart.remove', subject: id, before: null, after: null, reason: null };
  if (!(await commit(call, { subject: id, guard: removed, operated }))) throw refuseEmbedded();
  return true;
}

export function refuseEmbedded(): Refusal {
  return new Refusal('not_found', say`There is no such embedded chart`);
}
