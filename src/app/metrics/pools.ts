import { Counter, Gauge, type Registry } from 'prom-client';
import type { Rail } from '../../platform/call/call.ts';

/** Registers how many connections to the database there are, by what they are for, and who waits for one. */
export function observePools({ pools }: Rail, registry: Registry): void {
  registry.registerMetric(
    new Gauge({
      name: 'database_pool_connections',
      help: 'Connections to the database, by pool: in use, or idle.',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
          this.set({ pool, state: 'used' }, totalCount - idleCount);
          this.set({ pool, state: 'idle' }, idleCount);
        }
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'database_pool_waiting',
      help: 'Statements that wait for a connection now.',
      labelNames: ['pool'],
      registers: [],
      collect() {
        for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'database_pool_waits_total',
      help: 'Number of times that all connections of a pool were in use, and something had to wait for one.',
      labelNames: ['pool'],
      registers: [],
      collect() {
        this.reset();
        for (const [pool, { waits }] of Object.entries(pools)) this.inc({ pool }, waits);
      },
    }),
  );
}
