import type { Call } from '../../platform/call/call.ts';
import type { StatementFormat } from '../../platform/config/connections.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** How the providers write their statements, where the configuration says nothing else. */
const USUAL: Readonly<Record<string, StatementFormat>> = {
  mtn_momo: {
    delimiter: ',',
    columns: { reference: 'External Transaction Id', amount: 'Amount', currency: 'Currency', status: 'Status', txnId: 'Id', settledAt: 'Date' },
    paid: ['successful'],
  },
  airtel_money: {
    delimiter: ',',
    columns: {
      reference: 'Reference Id',
      amount: 'Transaction Amount',
      currency: 'Currency',
      status: 'Transaction Status',
      txnId: 'Transaction Id',
      settledAt: 'Transaction Date and Time',
    },
    paid: ['ts', 'success', 'transaction success'],
  },
  card: {
    delimiter: ',',
    columns: { reference: 'tx_ref', amount: 'amount', currency: 'currency', status: 'status', txnId: 'flw_ref', settledAt: 'created_at' },
    paid: ['successful', 'succeeded'],
  },
};

/** How a provider writes its statements. */
export function formatOf({ config }: Call, provider: string): StatementFormat {
  const format = Object.hasOwn(USUAL, provider) ? (config.connections.statements[provider] ?? USUAL[provider]) : undefined;
  if (!format) throw new Refusal('not_found', `There is no such provider; statements come from ${Object.keys(USUAL).join(', ')}`);
  return format;
}
