import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSink } from '../../harness/sink.ts';
import { ask } from '../run/ask.ts';
import { compareDeliveries, listenAt } from '../run/hooks.ts';
import { payDuring } from '../run/paying.ts';
import type { Scenario } from '../run/scenario.ts';

/** Debian's package `faketime` moves the clock of a process. */
const [faketime] = globSync('/usr/lib/*/faketime/libfaketime.so.1');

/** A request may take so long: what it writes at its end is as of its beginning. */
const LONGEST_SECONDS = 30;

export const clock: Scenario = {
  name: 'clock',
  title: 'the clock of one process of two jumps',
  promise:
    'A clock that jumps by up to a day, back and ahead, changes no record: time is the database’s. Nothing is lost, paid twice or sent out of order.',
  unit: 'jumps',
  full: 40,
  floor: 3,
  share: 1,
  missing: () => (faketime ? null : 'Debian’s package faketime is not installed'),
  async run(context) {
    const place = await context.open();
    const at = join(place.rail.dataDir, 'clock');
    const jump = (seconds: number) => writeFileSync(at, `${seconds < 0 ? '' : '+'}${seconds}`);
    jump(0);
    await place.start(1);
    await place.start(1, {
      LD_PRELOAD: faketime!,
      FAKETIME_TIMESTAMP_FILE: at,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    const sink = await openSink();
    context.atEnd(() => sink.close());
    const shop = await place.shop(context.random);
    await listenAt(place, shop.key, sink);
    await payDuring(context, { place, clients: 4, shop }, async () => {
      while (context.more()) {
        const seconds = context.below(2 * 86_400) - 86_400;
        jump(seconds);
        await sleep(1_000 + context.below(1_500));
        const { text } = await ask(`${place.origins[1]}/readyz`);
        const { clock_offset_ms: offset } = JSON.parse(text) as { clock_offset_ms: number };
        context.hold(
          Math.abs(offset / 1_000 - seconds) < 60,
          () => `it jumped by ${seconds} s, and probes say ${offset} ms`,
        );
      }
      jump(0);
      await sleep(1_000);
    });
    await compareDeliveries(context, place, shop.integrator, sink);
    context.lose(
      'out of time',
      (
        await place.query<{ name: string }>(`
          select name from payment_intent where confirmed_at < created_at union all
          select doc from (select doc, at, lag(at) over (partition by doc order by id) as before from trace_row where doc is not null) t
          where at < before - interval '${LONGEST_SECONDS} seconds'`)
      ).map(({ name }) => name),
    );
  },
};
