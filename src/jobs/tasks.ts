import type { TaskList } from 'graphile-worker';
import { randomUUID } from 'node:crypto';
import { purgeAnswers } from '../access/idempotency.ts';
import { system } from '../access/viewer.ts';
import { type Call, type Rail, callOf } from '../call.ts';
import { expireOverdue } from '../payments/expire.ts';

/** What the rail does by itself, and when (cron, UTC). Each is safe to run twice, and on any number of processes. */
export const CRONTAB = `
* * * * * expire_intents
17 * * * * purge_answers
`;

export function tasks(rail: Rail): TaskList {
  const job = (name: string, run: (call: Call) => Promise<number>) => async () => {
    const done = await run(callOf(rail, system(`job:${name}`), randomUUID()));
    if (done > 0) rail.log.info({ job: name, done }, 'job');
  };
  return {
    expire_intents: job('expire_intents', expireOverdue),
    purge_answers: job('purge_answers', (call) => purgeAnswers(call.db, call.now())),
  };
}
