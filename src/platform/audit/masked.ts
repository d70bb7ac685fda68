import type { Refusal } from '../../kernel/refusal.ts';
import { Said, type Words } from '../../kernel/text/said.ts';

/** A refusal as the log of requests keeps it. */
export interface MaskedRefusal {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly path: string; readonly message: string; readonly code: string | null }[];
}

/** Response to a caller, without text that may be a name, address or number. */
export function maskRefusal({ code, said, details }: Pick<Refusal, 'code' | 'said' | 'details'>): MaskedRefusal {
  return {
    code,
    message: details.length > 0 ? '' : mask(said),
    details: details.map((detail) => ({
      path: maskText(detail.path),
      message: mask(detail.message),
      code: detail.code ?? null,
    })),
  };
}

/** Names of fields, states and records of the rail, and short numbers; other values in a sentence are the caller's. */
const OWN_NAMES = [
  /^[a-z]+([A-Z_.][a-zA-Z]*)+$/,
  /^(Draft|Assessed|Paid|Cancelled|Pending|Sent|Confirmed|Failed|Expired|Open|Closed|Active|Inactive)$/,
  /^[A-Z]{2,8}(-\d+)*$/,
  /^-?\d{1,8}(\.\d+)?$/,
];

function mask(words: Words): string {
  if (!(words instanceof Said)) return maskText(words);
  return words.form.replaceAll(/\{(\d+)[^}]*\}/g, (_whole, index: string) => {
    const value = words.values[Number(index)] ?? '';
    return OWN_NAMES.some((name) => name.test(value)) ? value : '\u2026';
  });
}

const EMAIL = /[^\s@:"]+@[^\s@"]+/g;
/** Numbers of phones and of people; not amounts, which have fewer digits or groups, nor docnames. */
const NUMBER = /(?<![\w-])(\+?\d[\d ]{7,}\d|(?=\w*\d)[A-Z][A-Z0-9]{7,})(?![\w-])/g;

const maskText = (text: string): string => text.replaceAll(EMAIL, '\u2026').replaceAll(NUMBER, '\u2026');
