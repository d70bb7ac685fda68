import type { Call } from '../../platform/call/call.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { LONGEST_LABEL, readText } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';
import { checkAgencies } from '../keys/grants.ts';
import { requireWebhookEndpoint } from './address.ts';
import { readTypes } from '../events/event-types.ts';

/** An owner's settings of an endpoint; those left out stay. */
export interface SettingsInput {
  readonly url?: string | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly agencies?: readonly string[] | null | undefined;
  readonly label?: string | null | undefined;
}

export interface Settings {
  readonly url: string;
  /** The types of messages that it gets, by name or by a beginning, `payment_intent.*`; empty: all. */
  readonly types: readonly string[];
  /** The agencies that it gets messages about; empty: all. */
  readonly agencies: readonly string[];
  readonly label: string;
}

/** The settings of an endpoint after a change of them. */
export async function readSettings(
  call: Call,
  input: SettingsInput,
  before: Partial<Settings> = {},
): Promise<Settings> {
  const url = input.url == null ? before.url : requireWebhookEndpoint(input.url, call.config, 'url');
  if (url === undefined) throw refuseValue('url', say`is required`);
  const { types = before.types, agencies = before.agencies } = input;
  return {
    url,
    types: readTypes(types ?? []),
    agencies: await readAgencies(call, agencies ?? []),
    label: readText('label', input.label, LONGEST_LABEL) ?? before.label ?? new URL(url).host.slice(0, LONGEST_LABEL),
  };
}

async function readAgencies(call: Call, asked: readonly string[]): Promise<readonly string[]> {
  if (asked.length > 0 && call.viewer.kind === 'agency')
    throw refuseValue('agencies', say`is for accounts: an agency gets its own messages`);
  return (await checkAgencies(call, 'agencies', asked)).filter((agency) => agency !== '*');
}
