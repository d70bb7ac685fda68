import type { StatementFormat } from '../../adapters/payment/statement.ts';
import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** Whose statements are taken: providers, connections to them that have names of their own, and payment points. */
export function listStatementProviders({ config: { providers, connections, billers } }: Call): string[] {
  return [...new Set([...providers, ...connections.providers, ...billers].map(({ name }) => name))];
}

/** How payment points write their statements where the configuration says nothing else: a row is a transaction. */
const OF_BILLERS: StatementFormat = {
  delimiter: ',',
  columns: {
    reference: 'txn_id',
    amount: 'amount',
    currency: 'currency',
    status: null,
    txnId: 'txn_id',
    settledAt: 'paid_at',
  },
  paid: [],
};

/** How the statements of a provider, or of a connection to one, are written. */
export function formatOf(call: Call, name: string): StatementFormat {
  const { providers, connections, billers } = call.config;
  if (billers.some((biller) => biller.name === name)) return connections.statements[name] ?? OF_BILLERS;
  const provider =
    connections.providers.find((connection) => connection.name === name)?.provider ??
    providers.find((one) => one.name === name);
  if (!provider)
    throw new Refusal(
      'not_found',
      `The provider does not exist; statements are accepted from ${listStatementProviders(call).join(', ')}`,
    );
  const { statements } = connections;
  return [statements[name], statements[provider.name]].find((format) => format !== undefined) ?? provider.statement;
}
