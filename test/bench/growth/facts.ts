import pg from 'pg';

/** The integrator of a made-up history that owns two fifths of it. */
export const LARGEST = 'HISTORY-AAAAAB';

/** Values of one history that questions name, all from its middle. */
export interface Facts {
  readonly assessment: string;
  readonly citizen: string;
  readonly nin: string;
  readonly phone: string;
  /** A part of a name that few have. */
  readonly few: string;
  readonly intent: string;
  readonly event: string;
  readonly service: string;
  readonly shift: string;
  readonly clerk: string;
  /** The agency that most is collected for, and the one that least is. */
  readonly mda: string;
  readonly rareAgency: string;
  /** An assessment that an integrator was told of. */
  readonly object: string;
  readonly run: string;
  readonly propagation: string;
  readonly delivery: string;
  readonly overseen: string;
  /** A day almost a year ago, which is as much as some questions may be about, and the one thirty days later. */
  readonly day: string;
  readonly later: string;
}

const FACTS = `
  select a.name as assessment, a.citizen, c.nin, c.phone, substring(c.full_name from '[^ ]+ [^ ]+$') as few,
    i.name as intent, e.name as event, l.service, s.name as shift, s.clerk, m.most as mda, m.least as "rareAgency",
    o.object, r.name as run, p.name as propagation, d.name as delivery, v.subject as overseen,
    to_char(a.created_at, 'YYYY-MM-DD') as day, to_char(a.created_at + interval '30 days', 'YYYY-MM-DD') as later
  from (select * from assessment where integrator = $1 and status = 'Paid' and created_at < now() - interval '360 days'
    order by created_at desc, name desc limit 1) a
  join citizen c on c.name = a.citizen
  join payment_intent i on i.assessment = a.name
  cross join lateral (select * from payment_event e where e.intent = i.name limit 1) e
  join assessment_line l on l.assessment = a.name and l.idx = 1
  cross join lateral (select * from counter_shift where variance_status is not null and integrator is null
    and created_at < a.created_at order by created_at desc limit 1) s
  cross join (select (array_agg(mda order by n desc, mda))[1] as most, (array_agg(mda order by n, mda))[1] as least
    from (select mda, count(*) as n from payment_event group by mda) g) m
  cross join lateral (select object from webhook_delivery where integrator = $1 and created_at < a.created_at
    order by created_at desc limit 1) o
  cross join lateral (select name from webhook_delivery where integrator = $1 and created_at < a.created_at
    order by created_at desc limit 1) d
  cross join lateral (select name from reconciliation_run where created_at < a.created_at
    order by created_at desc limit 1) r
  cross join lateral (select name from propagation where created_at < a.created_at order by created_at desc limit 1) p
  cross join lateral (select subject from oversight_stream where kind = 'payment_event' and occurred_at < a.created_at
    order by position desc limit 1) v`;

/** Finds what questions name in a history. */
export async function findFacts(url: string): Promise<Facts> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const { rows } = await db.query<Facts>(FACTS, [LARGEST]);
    if (!rows[0]) throw new Error('The history is too short to ask about its middle');
    return rows[0];
  } finally {
    await db.end();
  }
}
