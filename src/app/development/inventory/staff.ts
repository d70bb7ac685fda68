import { type Entries, all, operational } from './entry.ts';

const NOBODY = 'nobody';
const OPERATORS = 'operators';
const ITSELF = 'its owner, and operators';

/** People who work with the rail, how they log in, and what operators did. */
export const STAFF: Entries = {
  staff: {
    holds: 'People who work at counters, supervise, audit or operate the rail',
    about: 'staff',
    shown: ITSELF,
    columns: {
      email: ['contact', 'staff', 'logs in with it, and gets mail; the name of who did what in every log'],
      name: ['personal', 'staff', 'how pages and mail call the person'],
      password_hash: ['credential', 'staff', 'checks the password: Argon2id'],
      deactivated_reason: ['free text', 'staff', 'why the person was kept out'],
    },
  },
  staff_session: {
    holds: 'Logins of staff',
    about: 'staff',
    removed: '90 days after they expire, by `purge_staff`',
    shown: ITSELF,
    columns: {
      hash: ['credential', 'staff', 'finds the session: the SHA-256 of its token'],
      ended_by: ['identifier', 'staff', 'who ended it'],
      last_seen_at: ['personal', 'staff', 'when the person was there last'],
    },
  },
  staff_identity: {
    holds: 'Who members of staff are at the identity provider',
    about: 'staff',
    shown: NOBODY,
    columns: {
      issuer: ['operational', 'nobody', 'the identity provider'],
      subject: ['identifier', 'staff', 'what the identity provider calls the person'],
    },
  },
  sign_on_attempt: {
    holds: 'Sign-ins at the identity provider that were begun',
    removed: 'once used, else once they expire, by `purge_staff`',
    shown: NOBODY,
    columns: {
      hash: ['credential', 'staff', 'ties the sign-in to one browser: a SHA-256'],
      return_to: ['operational', 'nobody', 'the page where the person goes on'],
    },
  },
  staff_link: {
    holds: 'Links to accept an invitation or to choose a password',
    about: 'staff',
    removed: '2 days after they expire, by `purge_staff`',
    shown: NOBODY,
    columns: {
      hash: ['credential', 'staff', 'finds the link: the SHA-256 of its token'],
      return_to: ['operational', 'nobody', 'the page where the person goes on'],
    },
  },
  staff_second_factor: {
    holds: 'Authenticator apps of staff',
    about: 'staff',
    removed: 'once its owner or an operator removes it',
    shown: NOBODY,
    columns: all(['credential', 'staff', 'computes codes by time; sealed'], 'sealed', 'pending'),
  },
  staff_recovery_code: {
    holds: 'Recovery codes of staff',
    about: 'staff',
    removed: 'with the second factor',
    shown: NOBODY,
    columns: { hash: ['credential', 'staff', 'finds the code: its SHA-256'] },
  },
  staff_wrong_codes: {
    holds: 'Wrong codes since the last right one',
    about: 'staff',
    removed: 'with the next right code',
    shown: NOBODY,
  },
  staff_passkey: {
    holds: 'Passkeys of staff',
    about: 'staff',
    removed: 'once its owner or an operator removes it',
    shown: 'its owner',
    columns: {
      credential_id: ['identifier', 'staff', 'names the passkey to the browser'],
      public_key: ['operational', 'nobody', 'checks what the passkey signed'],
      ...operational('transports'),
    },
  },
  passkey_challenge: {
    holds: 'Challenges that passkeys have answered',
    removed: 'once they expire, by `purge_staff`',
    shown: NOBODY,
    columns: operational('hash'),
  },
  login_failures: {
    holds: 'Failed logins by address',
    removed: 'with the next right login, else after a day, by `purge_staff`',
    shown: NOBODY,
    columns: { address: ['identifier', 'anyone', 'the mail address, and the network, as a keyed hash'] },
  },
  operator_audit: {
    holds: 'What operators changed: before, after and why',
    about: 'staff',
    shown: 'operators and auditors',
    columns: {
      subject: ['identifier', 'staff', 'what was changed: a docname, a code, or the e-mail address of staff'],
      ...all(['personal', 'anyone', 'the values before and after, without secrets'], 'before', 'after'),
      ...operational('action'),
    },
  },
  service_notice: {
    holds: 'Notices on pages',
    shown: 'everybody whom it is for',
    columns: {
      body: ['free text', 'anyone', 'the text of the notice'],
      ...operational('rooms'),
    },
  },
  agency_endpoint: {
    holds: 'Endpoints of connected agencies',
    shown: OPERATORS,
    columns: operational('agency_kind', 'auth_mode', 'probe_status'),
  },
  agency_endpoint_day: {
    holds: 'How endpoints answered by day',
    removed: 'after 400 days, by `purge_probe_days`',
    shown: 'everybody, as availability',
  },
  alert_rule: {
    holds: 'Who is alerted to which anomalies',
    removed: 'by operators',
    shown: OPERATORS,
    columns: operational('kinds', 'quiet_from', 'quiet_to', 'staff_of', 'transport'),
  },
  alert_waiting: {
    holds: 'Anomalies that a rule has not sent yet',
    removed: 'once sent, by `send_alerts`',
    shown: NOBODY,
    columns: operational('rule'),
  },
  alert_sent: {
    holds: 'When a rule sent something last',
    removed: 'with its rule',
    shown: NOBODY,
    columns: operational('rule'),
  },
  anomaly_digest: { holds: 'Whose digest of the day was sent', about: 'staff', shown: NOBODY },
  approval: {
    holds: 'What takes two people: who asked, who decided',
    about: 'staff',
    shown: OPERATORS,
    columns: {
      about: ['identifier', 'staff', 'whom it concerns, from whom the approver is independent'],
      subject: ['identifier', 'staff', 'what it is about: a docname, a code, or the e-mail address of staff'],
      proposal: ['operational', 'nobody', 'what is done once approved'],
    },
  },
  saved_view: {
    holds: 'Pages of figures that staff keep',
    about: 'staff',
    removed: 'by its owner',
    shown: 'its owner and its recipients',
    columns: {
      owner: ['identifier', 'staff', 'the e-mail address of the member of staff whose it is'],
      name: ['free text', 'staff', 'what the owner calls it'],
      address: ['operational', 'nobody', 'the path and filters of the page'],
      ...operational('every'),
    },
  },
  saved_view_recipient: {
    holds: 'Who gets a saved view by mail',
    about: 'staff',
    removed: 'by the owner or the recipient',
    shown: 'the owner',
    columns: operational('view'),
  },
  embedded_chart: {
    holds: 'Charts that staff embed in other pages',
    about: 'staff',
    removed: 'by its owner',
    shown: 'its owner; the chart to everybody with its address',
    columns: {
      owner: ['identifier', 'staff', 'the e-mail address of the member of staff whose it is'],
      name: ['free text', 'staff', 'what the owner calls it'],
      token: ['credential', 'staff', 'ends the address of the chart'],
      ...operational('chart', 'page'),
    },
  },
  registered_operation: {
    holds: 'Queries of oversight under a name',
    shown: 'its account, or staff',
    columns: operational('document', 'owner'),
  },
};
