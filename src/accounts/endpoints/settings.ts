import type { Call } from '../../platform/call/call.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { LONGEST_LABEL, readText } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';
import { checkAgencies } from '../keys/grants.ts';
import { requireWebhookEndpoint } from '../integrators/endpoint/webhook-endpoint.ts';
import { EVENT_TYPES } from '../webhooks/event-types.ts';

/** What an owner says of an endpoint; left out: stays as it is. */
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

export const MOST_TYPES = 50;

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

/** Types of events by name or by a beginning; an unknown one is refused. */
export function readTypes(asked: readonly string[]): string[] {
  asked.forEach((asking, index) => {
    if (expandTypes([asking]).length === 0)
      throw refuseValue(
        `types[${index}]`,
        say`must be a type of event, or a beginning of some, such as ${'payment_intent.*'}`,
      );
  });
  return [...new Set(asked)];
}

/** The types that names and beginnings stand for. */
export function expandTypes(asked: readonly string[]): string[] {
  return EVENT_TYPES.filter((type) =>
    asked.some((one) => type === one || (one.endsWith('.*') && type.startsWith(one.slice(0, -1)))),
  );
}

async function readAgencies(call: Call, asked: readonly string[]): Promise<readonly string[]> {
  if (asked.length > 0 && call.viewer.kind === 'agency')
    throw refuseValue('agencies', say`is for accounts: an agency gets its own messages`);
  return (await checkAgencies(call, 'agencies', asked)).filter((agency) => agency !== '*');
}
