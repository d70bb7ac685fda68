import { type Entries, all, operational } from './entry.ts';

const CITIZEN = ['identifier', 'citizen', 'who owes or pays: the docname of a citizen'] as const;
const PAYMENT = 'its account, staff of its agencies, and operators';
const EVERYBODY = 'everybody';
const OPERATORS = 'operators';

/** The catalogue, citizens, and what they owe and pay. */
export const COLLECTION: Entries = {
  citizen: {
    holds: 'People who pay',
    about: 'citizen',
    shown: 'accounts with `citizens.read`, within the bounds of a live rail, and staff; each view is logged',
    columns: {
      name: ['identifier', 'citizen', 'the docname by which all else names the person'],
      nin: ['identifier', 'citizen', 'the national identification number: finds the person at the identity authority'],
      full_name: ['personal', 'citizen', 'tells clerks and integrators that it is the right person'],
      phone: ['contact', 'citizen', 'finds the person; entered by clerks and integrators'],
      language: ['personal', 'citizen', 'in which they are notified of their payments'],
      verified: ['personal', 'citizen', 'whether the identity authority confirmed the person'],
      search_text: ['personal', 'citizen', 'name, number and phone in one spelling, for searches'],
    },
  },
  consent_event: {
    holds: 'That a record was taken over from the identity authority, for which agency and why',
    about: 'citizen',
    shown: 'as citizens are',
    columns: { citizen: CITIZEN, purpose: ['operational', 'nobody', 'the kind of registration'] },
  },
  citizen_access: {
    holds: 'Who was shown which citizen, when and why',
    about: 'citizen',
    removed: 'by the owner of the database, a month at a time; by no job',
    shown: 'auditors',
    columns: {
      citizen: ['identifier', 'citizen', 'who was shown: the docname of a citizen'],
      stated_purpose: ['free text', 'anyone', 'what the caller said that it was for'],
      credential: ['identifier', 'anyone', 'the docname of a key, or the ID of a session'],
      ...operational('caller', 'purpose'),
    },
  },
  citizen_look_ups: {
    holds: 'How many people an account looked up today',
    removed: 'the day after, by `purge_answers`',
    shown: 'nobody',
  },
  assessment: {
    holds: 'What somebody owes',
    about: 'citizen',
    shown: PAYMENT,
    columns: { citizen: CITIZEN },
  },
  assessment_line: { holds: 'The services of an assessment', about: 'citizen', shown: PAYMENT },
  payment_intent: {
    holds: 'Attempts to collect',
    about: 'citizen',
    shown: PAYMENT,
    columns: {
      payer_msisdn: ['contact', 'citizen', 'the phone that is asked to pay; shown masked'],
      payer_email: ['contact', 'citizen', 'where the provider mails its receipt; sealed, and gone once it is final'],
      return_url: ['identifier', 'citizen', 'where the payer goes on, as the account says'],
      next_action: ['identifier', 'citizen', 'what the payer has to do, such as the page to pay at'],
      link: ['identifier', 'citizen', 'the payment link that it was started by'],
      aggregator_reference: ['identifier', 'citizen', 'what the provider calls the collection'],
      failure_reason: ['free text', 'citizen', 'why the provider says that it failed'],
    },
  },
  split_rule: { holds: 'What of an intent goes to which agency', about: 'citizen', shown: PAYMENT },
  payment_event: {
    holds: 'The proof of payments and reversals',
    about: 'citizen',
    shown: `${PAYMENT}; oversight without what leads to a person`,
    columns: all(
      ['identifier', 'citizen', 'what the provider calls the transaction'],
      'aggregator_reference',
      'txn_id',
    ),
  },
  event_seal: {
    holds: 'The chain of seals over payment events',
    shown: 'auditors and oversight',
    columns: operational('commitment', 'hash'),
  },
  seal_salt: {
    holds: 'With what seals commit to members that oversight may not see',
    shown: 'nobody',
    columns: { salt: ['credential', 'nobody', 'keeps the commitment from being guessed'] },
  },
  trace_row: {
    holds: 'What happened to an assessment and its payments',
    about: 'citizen',
    shown: `${PAYMENT}; staff are named to staff alone`,
    columns: {
      ...all(['free text', 'anyone', 'what happened, in a sentence with its values'], 'said', 'summary'),
      detail: ['personal', 'citizen', 'what was asked and answered, with personal members masked'],
      ...operational('doc'),
    },
  },
  anomaly: {
    holds: 'What somebody should look into',
    shown: 'operators, staff of its agencies; oversight with the figures alone',
    columns: {
      subject: ['identifier', 'anyone', 'what it is about: a docname, a code, or the e-mail address of staff'],
      evidence: ['personal', 'anyone', 'the figures and docnames that raised it; of citizens, docnames alone'],
    },
  },
  searched_day: {
    holds: 'The last day of each time zone that was searched for anomalies',
    shown: 'nobody',
    columns: operational('day', 'time_zone'),
  },
  inbound_callback: {
    holds: 'What providers and agencies called back about',
    shown: OPERATORS,
    columns: operational('about', 'body_hash', 'decision', 'event_id'),
  },
  channel_day: { holds: 'How channels fared by day', shown: EVERYBODY },
  fiscal_document: {
    holds: 'Numbers of fiscal documents',
    about: 'citizen',
    shown: PAYMENT,
    columns: {
      number: ['identifier', 'citizen', 'what the tax authority or partner calls the document'],
      url: ['identifier', 'citizen', 'where the document can be read'],
      ...operational('issuer', 'payment_event'),
    },
  },
  payment_reference: {
    holds: 'Numbers to pay assessments by',
    about: 'citizen',
    shown: 'amount, agencies and state to everybody who has the number; the rest as payments are',
    columns: {
      number: ['identifier', 'citizen', 'by which the assessment is paid at a payment point'],
      paid_by: ['identifier', 'citizen', 'the payment intent that paid'],
    },
  },
  payment_link: {
    holds: 'Links to pages at which assessments can be paid',
    about: 'citizen',
    shown: PAYMENT,
    columns: {
      token_hash: ['credential', 'citizen', 'what lets the payer in, as a hash'],
      return_url: ['identifier', 'citizen', 'where the payer goes on, as the account says'],
      ...operational('channels'),
    },
  },
  money_received: {
    holds: 'Money that arrived and paid nothing',
    about: 'citizen',
    shown: `${OPERATORS}, finance officers of its agencies`,
    columns: {
      reference: ['free text', 'anyone', 'what was typed where it was paid'],
      txn_id: ['identifier', 'citizen', 'what the provider calls the transaction'],
      ...operational('provider'),
    },
  },
  payment_claim: {
    holds: 'Transactions of payment points that wait for a proof',
    about: 'citizen',
    removed: 'once they are decided on, or after 90 days by `purge_answers`',
    shown: 'nobody',
    columns: {
      txn_id: ['identifier', 'citizen', 'what the provider calls the transaction'],
      sender: ['identifier', 'anyone', 'the network that reported it, as a keyed hash'],
      ...operational('provider'),
    },
  },
  receipt: {
    holds: 'Signed receipts of payments',
    about: 'citizen',
    shown: 'who sees the payment, and anybody who holds the receipt',
    columns: {
      payload: ['personal', 'citizen', 'what was signed: what was paid, with the initials of the payer'],
      ...operational('signature', 'replaced_by'),
    },
  },
  payer_message: {
    holds: 'That payers were notified of payments by text or e-mail; what was said, and to which number, is not kept',
    about: 'citizen',
    shown: OPERATORS,
    columns: {
      citizen: CITIZEN,
      address: ['contact', 'anyone', 'where a letter goes, sealed; null once it is sent'],
      subject: ['identifier', 'citizen', 'the payment reference or the receipt that it is about'],
      gateway_id: ['identifier', 'citizen', 'what the gateway calls the text'],
      ...operational('failure', 'gateway', 'language'),
    },
  },
  stopped_address: {
    holds: 'E-mail addresses that get no more letters about payments',
    about: 'anyone',
    shown: 'nobody',
    columns: { hash: ['contact', 'anyone', 'SHA-256 of the address; nothing else says that it asked'] },
  },
  propagation: {
    holds: 'Notices to agencies of what was paid to them',
    about: 'citizen',
    shown: OPERATORS,
    columns: {
      receipt: ['identifier', 'citizen', 'what the agency calls the payment'],
      last_error: ['free text', 'nobody', 'what the agency answered'],
    },
  },
  sandbox_agency: {
    holds: 'How agencies of a sandbox behave',
    removed: 'by the account that tries it out',
    shown: 'its account',
    columns: operational('behaviour'),
  },
  reconciliation_run: {
    holds: 'Settlement statements that were compared',
    shown: `${OPERATORS}; oversight with the counts alone`,
    columns: {
      rows: ['identifier', 'citizen', 'references and amounts of runs of earlier versions'],
      ...operational('rerun_of', 'source_hash', 'ignored_statuses'),
    },
  },
  reconciliation_item: {
    holds: 'Rows of settlement statements',
    about: 'citizen',
    shown: OPERATORS,
    columns: {
      ...all(['identifier', 'citizen', 'what the provider calls the transaction'], 'reference', 'txn_id'),
      ...operational('intent_status', 'recorded_currency', 'statement_currency'),
    },
  },
  counter_shift: {
    holds: 'Sessions of clerks at a counter, with their cash',
    about: 'staff',
    shown: 'its clerk, supervisors, operators; oversight without the clerk',
    columns: {
      clerk: ['identifier', 'staff', 'whose shift it is: an e-mail address'],
      counter_label: ['free text', 'nobody', 'which counter it is; oversight sees it'],
      ...all(['identifier', 'staff', 'who decided on the variance'], 'variance_decided_by', 'variance_key_issued_by'),
      ...all(
        ['free text', 'anyone', 'what the clerk or the supervisor wrote'],
        'closing_notes',
        'opening_notes',
        'variance_note',
        'variance_reason',
      ),
      denominations: ['money', 'nobody', 'the notes and coins that were counted'],
    },
  },
  country: {
    holds: 'What the days and figures of a country go by',
    shown: EVERYBODY,
    columns: operational('families', 'holidays', 'sectors', 'time_zone'),
  },
  mda: {
    holds: 'Ministries, departments, agencies and local governments',
    shown: EVERYBODY,
    columns: {
      collection_account: ['identifier', 'nobody', 'where its money goes; the last four characters are shown'],
      ...operational('mda_name', 'mda_type'),
    },
  },
  account_change: {
    holds: 'Changes of where the money of an agency goes',
    shown: OPERATORS,
    columns: all(
      ['identifier', 'nobody', 'an account of an agency; the last four characters are shown'],
      'collection_account',
      'former_account',
    ),
  },
  service: { holds: 'What agencies charge for', shown: EVERYBODY, columns: operational('search_text') },
  service_fee: { holds: 'Fees that services have had', shown: 'operators; oversight without who set them' },
  withdrawn_fee: { holds: 'Fees that were taken back before their day', shown: OPERATORS },
};
