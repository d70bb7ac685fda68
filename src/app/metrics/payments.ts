import { Gauge, type Registry } from 'prom-client';
import { IntentStatus } from '../../generated/prisma/enums.ts';
import type { Rail } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { DAY_MS } from '../../kernel/time.ts';
import { MOST_COUNTED } from '../../platform/reading/page.ts';
import { readNowAndThen } from './now-and-then.ts';

/** Registers how the latest payments stand. It is the same from each process. */
export function observePayments(rail: Rail, registry: Registry): void {
  const recent = readNowAndThen(rail, registry, 'payment_intents', readPayments);
  registry.registerMetric(
    new Gauge({
      name: 'payment_intents',
      help: `Payment intents of the last 24 hours by status; of more than ${MOST_COUNTED}, the latest so many.`,
      labelNames: ['status'],
      registers: [],
      async collect() {
        const counted = await recent();
        this.reset();
        if (counted === null) return;
        for (const status of Object.values(IntentStatus)) this.set({ status }, 0);
        for (const { status, many } of counted) this.set({ status }, many);
      },
    }),
  );
}

/** By the index of when they were made, from its end. */
function readPayments({ background: { db }, now }: Rail): Promise<{ status: IntentStatus; many: number }[]> {
  return db.rows(sql`
    select status, count(*)::int as many from (
      select status from payment_intent where created_at > ${new Date(now().getTime() - DAY_MS)}
      order by created_at desc limit ${MOST_COUNTED}
    ) latest group by status`);
}
