import { type Entries, all, operational } from './entry.ts';

const OWNER = 'its account, and operators';
const NOBODY = 'nobody';
const OPERATORS = 'operators';

const SESSION_OVER = 'a day after it is over, by `purge_sessions`';

/** Accounts of integrators, their keys, sessions, requests and webhooks, and keys of agencies. */
export const ACCOUNTS: Entries = {
  integrator: {
    holds: 'Accounts of integrators, with the person to contact',
    about: 'account',
    removed: 'a sign-up that nobody verified after 7 days, by `purge_accounts`; an account stays',
    shown: OWNER,
    columns: {
      contact_email: ['contact', 'account', 'signs in with it, and gets codes and notices'],
      contact_name: ['personal', 'account', 'how mail addresses the person'],
      contact_phone: ['contact', 'account', 'how operators reach the person'],
      display_name: ['free text', 'account', 'what the account is called'],
      organisation: ['free text', 'account', 'for whom the person works'],
      last_login_at: ['personal', 'account', 'when the person signed in last'],
      network: ['identifier', 'account', 'where the sign-up came from, as a keyed hash, to bound sign-ups'],
      otp_hash: ['credential', 'account', 'the mailed code, as a keyed hash'],
      ...operational('allowed_agencies', 'allowed_channels', 'return_hosts', 'tos_version'),
    },
  },
  api_key: {
    holds: 'Keys of accounts and what they may do',
    shown: OWNER,
    columns: {
      hash: ['credential', 'account', 'finds the key: the SHA-256 of its plaintext'],
      ...operational('counters', 'last4', 'prefix', 'supervises'),
    },
  },
  daily_usage: { holds: 'Requests of accounts by day', shown: OWNER },
  audit_log: {
    holds: 'A row for each request: who, which endpoint, what came of it',
    removed: 'after 90 days to a file in `DATA_DIR/archive`, which goes after 7 years; both by `archive_audit`',
    shown: OWNER,
    columns: {
      ...operational('key'),
      refusal: ['operational', 'nobody', 'what the caller was told, without values that may name somebody'],
    },
  },
  idempotency: {
    holds: 'Answers to requests that may be repeated',
    removed: 'after 24 hours, by `purge_answers`',
    shown: 'the caller that repeats the request',
    columns: {
      principal: ['identifier', 'anyone', 'whose request it was: a key, a session, or a keyed hash of an address'],
      body: ['personal', 'anyone', 'the answer, with all that it shows; sealed'],
      ...operational('fingerprint', 'key', 'subject'),
    },
  },
  audit_archive: {
    holds: 'Files of archived months of requests, with their checksums',
    removed: 'with its file after 7 years, by `archive_audit`',
    shown: NOBODY,
    columns: operational('file', 'sha256'),
  },
  magic_link: {
    holds: 'Links that sign in to accounts',
    about: 'account',
    removed: SESSION_OVER,
    shown: NOBODY,
    columns: {
      hash: ['credential', 'account', 'finds the link: the SHA-256 of its token'],
      mailbox: ['identifier', 'account', 'for whom it was asked, as a keyed hash'],
      return_to: ['operational', 'nobody', 'the page where the person goes on'],
    },
  },
  session: {
    holds: 'Sessions of accounts in browsers',
    about: 'account',
    removed: SESSION_OVER,
    shown: OWNER,
    columns: {
      hash: ['credential', 'account', 'finds the session: the SHA-256 of its token'],
      ...operational('magic_link'),
    },
  },
  sign_in_quota: {
    holds: 'How many links somebody asked for today',
    removed: 'a day after the last one, by `purge_sessions`',
    shown: NOBODY,
    columns: { address: ['identifier', 'account', 'the mail address and the network, as one keyed hash'] },
  },
  mailbox_quota: {
    holds: 'How many links were mailed to an address today',
    removed: 'a day after the last one, by `purge_sessions`',
    shown: NOBODY,
    columns: { mailbox: ['identifier', 'account', 'the mail address, as a keyed hash'] },
  },
  known_network: {
    holds: 'Networks from which people have signed in, so that lockouts do not hit them',
    removed: '90 days after the last use, by `purge_sessions`',
    shown: NOBODY,
    columns: {
      holder: ['identifier', 'anyone', 'who signed in, as a keyed hash'],
      network: ['identifier', 'anyone', 'from where, as a keyed hash'],
    },
  },
  mail: {
    holds: 'Mail to be sent',
    removed: 'its secrets once it is sent, the row after 30 days, by `purge_accounts`',
    shown: NOBODY,
    columns: { sealed: ['credential', 'anyone', 'the code or link, or the text of a notice; sealed'] },
  },
  sandbox_secret: {
    holds: 'The `SECRET_KEY` of a sandbox that was given none; a live rail has no row',
    shown: NOBODY,
    columns: { secret: ['credential', 'nobody', 'keys the hashes and seals of the sandbox'] },
  },
  rate_limit: {
    holds: 'Requests of this minute, with `RATE_LIMIT_SHARED`',
    removed: 'within an hour of their end, by `purge_answers`',
    shown: NOBODY,
    columns: { key: ['identifier', 'anyone', 'whose requests: an account, a session, or an IP address'] },
  },
  live_request: {
    holds: 'What accounts asked for to go live, and what was decided',
    shown: OWNER,
    columns: operational('approved_agencies', 'approved_channels'),
  },
  agency_key: {
    holds: 'Public keys of agencies',
    shown: OPERATORS,
    columns: operational('public_key', 'thumbprint'),
  },
  agency_assertion: {
    holds: 'Assertions of agencies that were used',
    removed: 'once they are over, by `purge_tokens`',
    shown: NOBODY,
    columns: operational('hash'),
  },
  signing_key: {
    holds: 'Key pairs that sign tokens of agencies, and receipts',
    removed:
      'a day after their last token is over, by `purge_tokens`; of receipts the private part alone, a day after another signs',
    shown: 'everybody, its public part',
    columns: {
      private_key: ['credential', 'nobody', 'signs tokens or receipts; sealed'],
      ...operational('public_key', 'use'),
    },
  },
  webhook_endpoint: {
    holds: 'Where messages are sent',
    shown: 'its account or agency, and operators',
    columns: {
      ...all(['credential', 'account', 'signs messages; sealed'], 'secret', 'previous_secret'),
      ...operational('disabled_reason', 'url'),
    },
  },
  event_log: {
    holds: 'The order of messages, for those who fetch them',
    removed: 'after 90 days, by `purge_events`',
    shown: 'its account or agency',
  },
  event_reader: { holds: 'Who fetched messages, and when last', shown: NOBODY },
  webhook_delivery: {
    holds: 'Messages on their way to an endpoint',
    removed: '90 days after it was delivered or dead, and once its attempts are gone, by `purge_events`',
    shown: 'its account or agency, and operators',
  },
  webhook_attempt: {
    holds: 'Attempts to deliver messages',
    removed: 'by the month, 90 days after it is over, by `purge_events`',
    shown: 'its account or agency, and operators',
    columns: {
      answer: ['free text', 'anyone', 'the first KiB of what the endpoint answered'],
      ...operational('delivery', 'error'),
    },
  },
  outbox: {
    holds: 'Messages to integrators and agencies',
    about: 'citizen',
    shown: 'its account or agency',
    columns: {
      payload: ['personal', 'citizen', 'the record as it was; a citizen is named by docname, a payer number is masked'],
    },
  },
  outbox_queue: { holds: 'Messages that wait', removed: 'once handed on', shown: NOBODY },
};
