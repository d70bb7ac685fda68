import { type Entries, operational } from './entry.ts';

const NOBODY = 'nobody';
const FOLLOWED = 'once the copies of facts have followed, by `trim_feed`';

/** What the rail keeps of itself, and what oversight adds up. */
export const RAIL: Entries = {
  docname_counter: {
    holds: 'The next number of each series of docnames',
    shown: NOBODY,
    columns: operational('series'),
  },
  database_mode: { holds: 'Whether the database is a sandbox or a live rail', shown: NOBODY },
  catalogue_version: { holds: 'How often the catalogue was changed', shown: NOBODY },
  fact_change: { holds: 'Which facts changed', removed: FOLLOWED, shown: NOBODY },
  fact_feed: { holds: 'Up to where the feed of changes was cut off', shown: NOBODY },
  people_waiting: {
    holds: 'What oversight is shown later, so that figures about few people cannot be compared',
    about: 'citizen',
    removed: 'once enough people are in a step',
    shown: NOBODY,
    columns: operational('becomes', 'was'),
  },
  people_step: { holds: 'The number of the last step', shown: 'oversight' },
  oversight_tail: {
    holds: 'What has no position in the stream yet',
    removed: 'once it has one',
    shown: NOBODY,
    columns: operational('subject'),
  },
  unsealed_event: { holds: 'Payment events that have no seal yet', removed: 'once sealed', shown: NOBODY },
  oversight_stream: {
    holds: 'The order in which oversight learns of payments and anomalies',
    shown: 'oversight',
    columns: operational('subject'),
  },
  revenue_target: { holds: 'What agencies are to collect', shown: 'oversight, without who set it' },
  oversight_salt: {
    holds: 'With what people are numbered for oversight',
    shown: NOBODY,
    columns: { salt: ['credential', 'nobody', 'keeps the numbers from leading back to a person'] },
  },
  log_seal: { holds: 'Seals of the logs by day', shown: 'auditors', columns: operational('hash', 'log') },
};
