import { Decimal } from '../../kernel/money.ts';
import type { Money } from '../../platform/reading/conditions.ts';
import { readDocname } from '../../platform/database/docnames.ts';
import { foldForSearch } from '../../kernel/text/matching.ts';
import { readLocalNumber } from '../../kernel/text/phone.ts';
import { readDigits } from '../../kernel/text/typed.ts';

/** A search, by each form that it may have. */
export interface Asked {
  /** The text as typed, without blanks around it. */
  readonly text: string;
  /** IDs that it may be, in the case that their kinds have. */
  readonly ids: readonly string[];
  /** A number that an aggregator or an agency gave, without blanks. */
  readonly reference: string;
  readonly amount: Money | null;
  /** Search for a person: a name, a NIN or a phone number; null if it is none of them. */
  readonly person: { readonly q: string } | { readonly nin: string } | null;
  /** A part of a name of an organisation, a service, an agency or a member of staff; null for numbers. */
  readonly name: string | null;
}

/** `UGX 143,000`, `143 000`, `1775.50 KES`; none begins with a zero, as local phone numbers do. */
const AMOUNT =
  /^(?<before>[a-z]{3})?\s*(?<number>[1-9]\d{0,2}([, \u00a0]\d{3})+|[1-9]\d{0,12})(?<cents>\.\d{1,2})?\s*(?<after>[a-z]{3})?$/i;
const LEAST_OF_A_PHONE = 9;
const NIN = /^(?=.*\d)[a-z0-9]{6,20}$/i;
const LEAST_OF_A_NAME = 3;

export function readAsked(typed: string): Asked {
  const text = readDigits(typed).replaceAll(/\s+/g, ' ');
  const reference = text.replaceAll(' ', '');
  const hasLetters = /\p{L}/u.test(text);
  return {
    text,
    ids: [...new Set([readDocname(text), reference.toUpperCase(), reference.toLowerCase(), reference])],
    reference,
    amount: readAmount(text),
    person: readPerson(text, reference),
    name: hasLetters && text.length >= LEAST_OF_A_NAME ? text : null,
  };
}

function readAmount(text: string): Asked['amount'] {
  const { before, number, cents = '', after } = AMOUNT.exec(text)?.groups ?? {};
  if (number === undefined || (before && after)) return null;
  return {
    value: new Decimal(number.replaceAll(/\D/g, '') + cents),
    currency: (before ?? after)?.toUpperCase() ?? null,
  };
}

function readPerson(text: string, reference: string): Asked['person'] {
  const phone = readLocalNumber(text);
  if (phone !== null) return phone.length >= LEAST_OF_A_PHONE ? { q: text } : null;
  if (NIN.test(reference)) return { nin: reference };
  return /^[\p{L}\p{M} .-]+$/u.test(foldForSearch(text)) && text.length >= LEAST_OF_A_NAME ? { q: text } : null;
}
