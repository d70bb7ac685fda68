import type { StatementFormat } from '../../adapters/payment/statement.ts';
import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** Whose statements are taken: providers, and connections to them that have names of their own. */
export function listStatementProviders({ config: { providers, connections } }: Call): string[] {
  return [...new Set([...providers, ...connections.providers].map(({ name }) => name))];
}

/** How the statements of a provider, or of a connection to one, are written. */
export function formatOf(call: Call, name: string): StatementFormat {
  const { providers, connections } = call.config;
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
