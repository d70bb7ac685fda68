import { DecimalScalar } from '../../graphql/scalars.ts';
import { readText } from './texts.ts';

/** An object of a form, or of a tariff as it is. */
type Members = Readonly<Record<string, unknown>>;

/** The members of a rule by its kind, in the order in which a form asks for them. */
const MEMBERS = {
  fixed: ['amount', 'currency'],
  stated: ['by', 'least', 'most', 'currency'],
  percent: ['percent', 'base', 'least', 'most', 'round_to'],
  tiers: ['base', 'slices', 'tiers', 'least', 'round_to'],
} as const;

export type RuleKind = keyof typeof MEMBERS;
export const RULE_KINDS = Object.keys(MEMBERS) as RuleKind[];

/** Members that are texts; others are numbers, lists, and what is true or false. */
const TEXTS: readonly string[] = ['law', 'kind', 'by', 'base', 'currency'];

const isKind = (kind: unknown): kind is RuleKind => typeof kind === 'string' && Object.hasOwn(MEMBERS, kind);

/** A category as a form asks for it. */
interface CategoryFields {
  readonly category: string;
  readonly kind: RuleKind;
  readonly members: readonly string[];
  readonly rule: Members;
  readonly tiers: readonly unknown[];
}

/** The categories of a tariff, as it is or as a form said it, with what each asks for; `standard` comes first. */
export function listCategories(tariff: unknown): CategoryFields[] {
  const { categories } = tariff as { readonly categories?: Readonly<Record<string, Members>> };
  return Object.entries<Members>({ standard: {}, ...categories }).map(([category, rule]) => {
    const kind = isKind(rule['kind']) ? rule['kind'] : 'fixed';
    // The standard category is in the currency of the service.
    const members = MEMBERS[kind].filter((member) => member !== 'currency' || category !== 'standard');
    return { category, kind, members, rule, tiers: Object.values(rule['tiers'] ?? [{}]) };
  });
}

/** The name of a category as a tariff has it: `Foreign national` is `foreign_national`; blank where nothing is left. */
export function nameCategory(typed: unknown): string {
  return String(typed)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[\d_]+|_+$/g, '')
    .slice(0, 40);
}

/**
 * A tariff from the fields of a form: numbers as people write them, without what was left blank, and without what a rule
 * of another kind had. The rail says what is wrong with it.
 */
export function readTariff(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return readMember(String(value).trim(), path);
  if (path.endsWith('.tiers')) return readTiers(Object.values(value), path);
  const { kind } = value as Members;
  const kept = isKind(kind) ? ['kind', ...MEMBERS[kind]] : Object.keys(value);
  const members = kept.map((name) => [name, readTariff((value as Members)[name] ?? '', `${path}.${name}`)] as const);
  const filled = members.filter(([, member]) => member !== undefined);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

/** The tiers, without blank ones at the end. */
function readTiers(tiers: readonly unknown[], path: string): unknown {
  const read = tiers.map((tier, index) => readTariff(tier, `${path}[${index}]`));
  const last = read.findLastIndex((tier) => tier !== undefined);
  return last < 0 ? undefined : read.slice(0, last + 1).map((tier) => tier ?? {});
}

function readMember(text: string, path: string): unknown {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (text === '') return undefined;
  if (name === 'slices') return text === 'true';
  return TEXTS.includes(name) ? text : readText(text, DecimalScalar, path);
}
