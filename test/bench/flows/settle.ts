import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** For how long what payments leave to be done is waited for. */
const LONGEST_WAIT_MS = 20_000;

const LEFT = `select (select count(*) from oversight_tail) + (select count(*) from unsealed_event)
  + (select count(*) from outbox_queue)
  + (select count(*) from propagation where status = 'pending') as left`;

/** Waits until the jobs have caught up with what was paid, so that they do not work while another side is measured. */
export async function waitUntilSettled(db: pg.Pool): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS;
  while (performance.now() < until) {
    const { rows } = await db.query<{ left: string }>(LEFT);
    if (Number(rows[0]!.left) === 0) return;
    await sleep(100);
  }
}
