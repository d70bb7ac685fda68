import type { StatementFormat } from '../../adapters/payment/statement.ts';
import type { Call } from '../../platform/call/call.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** How the statements of a provider, or of a connection to one, are written. */
export function formatOf({ config: { providers, connections } }: Call, name: string): StatementFormat {
  const provider =
    connections.providers.find((connection) => connection.name === name)?.provider ??
    providers.find((one) => one.name === name);
  if (!provider)
    throw new Refusal(
      'not_found',
      `The provider does not exist; statements are accepted from ${namesOf(providers, connections.providers)}`,
    );
  const { statements } = connections;
  return [statements[name], statements[provider.name]].find((format) => format !== undefined) ?? provider.statement;
}

function namesOf(...named: readonly (readonly { readonly name: string }[])[]): string {
  return [...new Set(named.flat().map(({ name }) => name))].join(', ');
}
