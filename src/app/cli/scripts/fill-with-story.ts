import type { Config } from '../../../platform/config/config.ts';
import { dataDirOf } from '../../../platform/config/data-dir.ts';
import { createLog } from '../../../kernel/log.ts';
import { openRail } from '../../open-rail.ts';
import { introduceAccounts, makeSandboxAccounts } from '../../../sandbox/accounts.ts';
import { findStory, makeStory } from '../../../sandbox/story.ts';

const POOL = 8;
const MOST_DAYS = 90;
/** Months before these days. */
const MONTHS = 24;

/** Fills the sandbox of a configuration with a story, unless it has one; refuses what is not to be filled. */
export async function fillWithStory(config: Config, days: number): Promise<void> {
  if (config.mode === 'live') throw new Error('MODE: a live rail gets no made-up story');
  if (!Number.isInteger(days) || days < 2 || days > MOST_DAYS)
    throw new Error(`--days: must be a whole number from 2 to ${MOST_DAYS}`);
  const { rail, close } = await openRail({ ...config, databasePool: POOL }, createLog('error'));
  try {
    const found = await findStory(rail);
    // As it is to be started, to show this story.
    const start = `${config.dataDir === dataDirOf({}) ? '' : `DATA_DIR=${config.dataDir} `}npm start`;
    if (found === 'complete') return say(`The story is there already. Look at it with ${start}.`);
    if (found !== 'none') throw new Error(REFUSALS[found]);
    const password = await makeSandboxAccounts(rail);
    const payments = await makeStory(rail, { days, months: MONTHS, report: say });
    say(`${payments.toLocaleString('en')} payments of ${days} days are there. Look at them with ${start}.\n`);
    if (password) say(introduceAccounts(password));
  } finally {
    await close();
  }
}

const REFUSALS = {
  'broken off': 'A story was begun here and broken off: take a new DATA_DIR, or a new database, and tell it again',
  others: 'This sandbox has assessments or accounts of others, which a story would mix with: take a new DATA_DIR',
};

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
