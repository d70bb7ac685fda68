import { type StatementFormat, formatAs } from '../../adapters/payment/statement.ts';
import type { Call } from '../../platform/call/call.ts';
import { sql } from '../../platform/database/sql.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { CLOCK } from '../catalogue/clock.ts';

/** Sources of statements: providers, connections to them that have names of their own, and payment points. */
export function listStatementProviders({ config: { providers, connections, billers } }: Call): string[] {
  return [...new Set([...providers, ...connections.providers, ...billers].map(({ name }) => name))];
}

/** Default format of payment points' statements: a row is a transaction. */
const OF_BILLERS: StatementFormat = {
  delimiter: ',',
  columns: {
    reference: 'txn_id',
    amount: 'amount',
    currency: 'currency',
    status: null,
    txnId: 'txn_id',
    settledAt: 'paid_at',
    paidFor: 'reference',
  },
  paid: [],
};

/** Format of M-Pesa's statements of a short code, by the clock of Nairobi. */
export const OF_MPESA: StatementFormat = {
  delimiter: ',',
  columns: {
    reference: 'Receipt No.',
    amount: 'Paid In',
    currency: null,
    status: 'Transaction Status',
    txnId: 'Receipt No.',
    settledAt: 'Completion Time',
    paidFor: 'A/C No.',
  },
  paid: ['completed'],
  zone: 'Africa/Nairobi',
};

/** The time zone of a provider's days: as its format says, or that of the country of its connection. */
export async function zoneOf(call: Call, name: string, format: StatementFormat): Promise<string> {
  const { connections, billers } = call.config;
  const { country = null } = [...connections.providers, ...billers].find((one) => one.name === name) ?? {};
  const [row] = await call.db.rows<{ zone: string }>(sql`
    select coalesce(${format.zone ?? null}, (select time_zone from country where code = ${country}), ${CLOCK}) as zone`);
  return row!.zone;
}

/** Format of the statements of a provider, or of a connection to one. */
export function formatOf(call: Call, name: string): StatementFormat {
  const { providers, connections, billers } = call.config;
  const biller = billers.find((one) => one.name === name);
  if (biller) return formatAs(biller.form === 'mpesa_c2b' ? OF_MPESA : OF_BILLERS, connections.statements[name]);
  const provider =
    connections.providers.find((connection) => connection.name === name)?.provider ??
    providers.find((one) => one.name === name);
  if (!provider)
    throw new Refusal(
      'not_found',
      `The provider does not exist; statements are accepted from ${listStatementProviders(call).join(', ')}`,
    );
  const { statements } = connections;
  return formatAs(provider.statement, statements[name] ?? statements[provider.name]);
}
