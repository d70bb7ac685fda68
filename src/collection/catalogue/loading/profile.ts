import { globSync, readFileSync } from 'node:fs';
import { pathIn, z } from '../../../kernel/zod.ts';
import { Decimal, isCurrency, minorDigitsOf } from '../../../kernel/money.ts';
import { refuseValues } from '../../../kernel/refusal.ts';
import { LONGEST_NAME } from '../../../kernel/text/free-text.ts';
import { AGENCY_CODE } from '../../../kernel/text/identifiers.ts';
import { isTimeZone } from '../../../kernel/time.ts';
import { WEEKDAYS } from '../holidays.ts';
import { feeOf, findInexact, tariffForm } from '../tariff/tariff.ts';

const FOLDER = new URL('../../../../prisma/catalogue/', import.meta.url);

const name = z.string().min(1).max(LONGEST_NAME);
/** Names in other languages than English. */
const names = z.strictObject({ fr: name.optional(), sw: name.optional(), lg: name.optional() }).default({});
/** Names of the sectors or families of services. */
const terms = z
  .array(z.strictObject({ name: z.string().min(1), names }))
  .refine((list) => new Set(list.map((term) => term.name)).size === list.length, 'names one twice')
  .default([]);

/** True if text is a day of one year, or of each. */
const isDay = (text: string) => z.iso.date().safeParse(text.length === 5 ? `2001-${text}` : text).success;
const day = z.string().refine(isDay, 'is no day: YYYY-MM-DD, or MM-DD for each year');
const holidays = z.array(z.strictObject({ day, name, names })).default([]);

const places = z.array(name).max(20).default([]);
const help = z.strictObject({
  name,
  phone: z.string().regex(/^[\d +*#]{3,20}$/, 'is no number to call'),
  pay_at: z.strictObject({ bank: places, agent: places, ussd: places }),
});

const profile = z
  .strictObject({
    country: z.string().regex(/^[A-Z]{2}$/),
    name: z.string().min(1),
    currency: z.string().refine(isCurrency, 'is no ISO 4217 currency'),
    /** Time zone of its days, as in the tz database. */
    time_zone: z.string().refine(isTimeZone, 'is no time zone of the tz database').default('UTC'),
    /** The month whose first day begins a fiscal year. */
    fiscal_year_month: z.number().int().min(1).max(12).default(1),
    /** The most cash of one payment and of one shift, where an agency has no limit of its own; null: any amount. */
    cash_limit: z.number().nonnegative().nullable().default(null),
    shift_cash_limit: z.number().nonnegative().nullable().default(null),
    sectors: terms,
    families: terms,
    holidays,
    /** The days of each week on which banks do not work. */
    weekend: z
      .array(z.enum(WEEKDAYS))
      .max(WEEKDAYS.length - 1)
      .refine((days) => new Set(days).size === days.length, 'names one twice')
      .default(['saturday', 'sunday']),
    /** Help for payers, and places to pay by a number: names of banks and agents, codes to dial. */
    help: help.nullable().default(null),
    agencies: z.array(
      z.strictObject({
        code: z.string().regex(AGENCY_CODE),
        name: z.string().min(1),
        names,
        mode: z.enum(['A', 'B', 'C']),
        type: z.string().min(1),
        status: z.enum(['Active', 'Sandbox', 'Inactive']),
        collection_account: z.string().min(4),
        region: z.string().min(1).nullable().default(null),
        district: z.string().min(1).nullable().default(null),
        services: z.array(
          z
            .strictObject({
              code: z.string().min(1),
              name: z.string().min(1),
              names,
              sector: z.string().min(1),
              family: z.string().min(1),
              fee: z.number().nonnegative().optional(),
              /** Instead of the fee, which is then what the tariff's standard category costs. */
              tariff: tariffForm.nullable().default(null),
              status: z.enum(['Active', 'Inactive']).default('Active'),
            })
            .refine(
              ({ fee, tariff }) => (tariff ? fee === undefined || feeOf(tariff).equals(fee) : fee !== undefined),
              {
                path: ['fee'],
                message: 'is required, unless there is a tariff',
              },
            )
            .transform(({ fee, ...service }) => ({
              ...service,
              fee: service.tariff ? feeOf(service.tariff).toNumber() : fee!,
            })),
        ),
      }),
    ),
  })
  .refine(
    ({ currency, agencies }) =>
      agencies.every(({ services }) =>
        services.every(
          ({ fee, tariff }) =>
            new Decimal(fee).decimalPlaces() <= minorDigitsOf(currency) && !(tariff && findInexact(tariff, currency)),
        ),
      ),
    'a fee has more decimals than its currency',
  );

export type CountryProfile = z.infer<typeof profile>;

/** The country profiles that come with the rail. */
export function readShippedProfiles(): CountryProfile[] {
  return globSync('*.json', { cwd: FOLDER })
    .toSorted()
    .map((file) => readProfile(readFileSync(new URL(file, FOLDER), 'utf8')));
}

export function readProfile(text: string): CountryProfile {
  return profile.parse(JSON.parse(text));
}

/** A profile that a caller sends; what is wrong with it is refused by its place in it. */
export function requireProfile(value: unknown): CountryProfile {
  const { success, data, error } = profile.safeParse(value);
  if (success) return data;
  throw refuseValues(error.issues.map(({ path, message }) => ({ path: pathIn('profile', path), message })));
}
