import { listDefinitions } from '../../../platform/database/migration/definitions.ts';
import { type Entry, type Whose, COMMON_ENTRIES, readEntry, split } from './entry.ts';
import { type SchemaColumn, columnsIn, readBlocks } from './schema.ts';

/** The tables, by the headings that the page has. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    'Citizens, assessments and payments': `
      citizen consent_event citizen_access citizen_look_ups exemption assessment assessment_line payment_intent split_rule
      payment_event refund refund_share event_seal seal_salt trace_row anomaly searched_day inbound_callback channel_day fiscal_document
      payment_reference payment_link money_received money_outcome payment_claim receipt payer_message stopped_address propagation
      sandbox_agency reconciliation_run reconciliation_item bank_statement bank_line agency_day counter_shift country mda
      account_change service service_fee withdrawn_fee`,
    'Accounts of integrators and agencies': `
      integrator api_key daily_usage audit_log idempotency audit_archive magic_link session sign_in_quota
      mailbox_quota known_network mail sandbox_secret rate_limit live_request agency_key agency_assertion signing_key
      webhook_endpoint event_log event_reader webhook_delivery webhook_queue webhook_attempt outbox outbox_queue`,
    'Staff and what they do': `
      staff staff_session staff_identity sign_on_attempt staff_link staff_second_factor staff_recovery_code
      staff_wrong_codes staff_passkey passkey_challenge login_failures operator_audit service_notice agency_endpoint
      agency_endpoint_day alert_rule alert_waiting alert_sent anomaly_digest approval saved_view saved_view_recipient
      embedded_chart registered_operation`,
    'The rail itself, and oversight': `
      docname_counter database_mode catalogue_version fact_change fact_feed people_waiting people_step oversight_tail
      unsealed_event oversight_stream revenue_target oversight_salt log_seal`,
  }).map(([heading, tables]) => [heading, split(tables)]),
);

/** Types whose columns need words of their own, unless their name is usual: they can hold anything. */
const NEEDS_WORDS: ReadonlySet<string> = new Set(['String', 'Json', 'Bytes']);

export interface Column {
  readonly name: string;
  /** Null where nobody has said what it holds. */
  readonly entry: Entry | null;
}

/** A table, and what comments above its model say of it: `// [holds] …`. Prisma would copy those with `///` into its client. */
export interface Table {
  readonly name: string;
  readonly model: string;
  readonly columns: readonly Column[];
  /** True if triggers refuse to change or delete its rows. */
  readonly appendOnly: boolean;
  /** Content of its rows. */
  readonly holds: string | undefined;
  /** People whose affairs its rows are about, also if no column names them. */
  readonly about: Whose | undefined;
  /** Time and job by which rows go; without it they stay. */
  readonly removed: string | undefined;
  /** People who are shown its rows. */
  readonly shown: string | undefined;
  /** Reason why no verification covers it, by a word of `UNVERIFIED`; without it, one does. */
  readonly unverified: string | undefined;
}

/** Every table of Prisma's schema, with what each of its columns holds. */
export function listTables(): Table[] {
  const blocks = readBlocks('model');
  const models = new Set(blocks.map(({ name }) => name));
  const appendOnly = new Set(
    listDefinitions()
      .filter(({ kind, sql }) => kind === 'triggers' && sql.includes('refuse_rewriting'))
      .map(({ object }) => object),
  );
  return blocks.map((block) => {
    const said = new Map([...block.comments.matchAll(/^\/\/ \[(\w+)\] (.+)$/gm)].map(([, fact, text]) => [fact, text]));
    return {
      name: block.table,
      model: block.name,
      columns: columnsIn(block, models).map((column) => ({ name: column.name, entry: entryOf(column) })),
      appendOnly: appendOnly.has(block.table),
      holds: said.get('holds'),
      about: said.get('about') as Whose | undefined,
      removed: said.get('removed'),
      shown: said.get('shown'),
      unverified: said.get('unverified'),
    };
  });
}

function entryOf({ name, type, line }: SchemaColumn): Entry | null {
  const said = readEntry(line.split('///')[1] ?? '') ?? COMMON_ENTRIES.get(name);
  if (said) return said;
  return NEEDS_WORDS.has(type) ? null : [type === 'Decimal' ? 'money' : 'operational', 'nobody', ''];
}
