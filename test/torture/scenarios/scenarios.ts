import type { Scenario } from '../run/scenario.ts';
import { cash } from './money/cash.ts';
import { links } from './money/links.ts';
import { figures } from './figures.ts';
import { clock } from './clock.ts';
import { failover } from './database/failover.ts';
import { fullDisk } from './database/full-disk.ts';
import { paused } from './database/paused.ts';
import { postgresKills } from './database/postgres-kills.ts';
import { versions } from './database/versions.ts';
import { restore } from './database/restore.ts';
import { numbers } from './money/numbers.ts';
import { processKills } from './money/process-kills.ts';
import { racers } from './money/racers.ts';
import { repeats } from './money/repeats.ts';
import { revocations } from './money/revocations.ts';
import { tampering } from './money/tampering.ts';
import { badInput } from './traffic/bad-input.ts';
import { connections } from './traffic/connections.ts';
import { listeners } from './traffic/listeners.ts';
import { stops } from './traffic/stops.ts';
import { webhooks } from './traffic/webhooks.ts';

/** In the order in which they are run. */
export const SCENARIOS: readonly Scenario[] = [
  processKills,
  racers,
  repeats,
  revocations,
  numbers,
  links,
  cash,
  figures,
  tampering,
  postgresKills,
  paused,
  fullDisk,
  failover,
  restore,
  versions,
  clock,
  webhooks,
  listeners,
  stops,
  badInput,
  connections,
];
