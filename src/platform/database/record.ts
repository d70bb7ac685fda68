import type PrismaTypes from '../../generated/pothos.ts';
import { getDatamodel } from '../../generated/pothos.ts';
import { Decimal } from '../../kernel/money.ts';
import { type Sql, raw } from './sql.ts';

/** The records of Prisma's schema. */
export type Model = keyof PrismaTypes;

/** Secrets that are text. Bytes need no mention here: they are hashes, or sealed, and no record is read with them. */
const SECRETS = {
  Staff: ['passwordHash'],
  SandboxSecret: ['secret'],
  EmbeddedChart: ['token'],
} as const satisfies { readonly [M in Model]?: readonly (keyof Shape<M>)[] };

type Secret<M extends Model> = M extends keyof typeof SECRETS ? (typeof SECRETS)[M][number] : never;

type Shape<M extends Model> = PrismaTypes[M]['Shape'];
type Value<T> = T extends (infer Element)[] ? readonly Element[] : T;

/** A record as it is read: all its fields but the secret ones. */
export type Stored<M extends Model> = {
  readonly [F in keyof Shape<M> as Shape<M>[F] extends Uint8Array | null ? never : Exclude<F, Secret<M>>]: Value<
    Shape<M>[F]
  >;
};

interface Field {
  readonly name: string;
  readonly type: string;
}

const { models } = getDatamodel().datamodel;

/** The fields that records of a model are read with, in the order of the schema. */
function fieldsOf(model: Model, without: readonly string[]): readonly Field[] {
  const secrets: Readonly<Record<string, readonly string[]>> = SECRETS;
  const excluded = new Set([...(secrets[model] ?? []), ...without]);
  const { fields } = models[model]!;
  return fields.filter(({ kind, type, name }) => kind !== 'object' && type !== 'Bytes' && !excluded.has(name));
}

const known = new Map<Model, readonly Field[]>();

/** The same with nothing left out, found once: lists make many records. */
function allFieldsOf(model: Model): readonly Field[] {
  let fields = known.get(model);
  if (!fields) known.set(model, (fields = fieldsOf(model, [])));
  return fields;
}

/** The column that holds a field: each is called by its field's name in snake case. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

interface Columns<M extends Model> {
  /** The alias of the record's table; `r` where nothing is said. */
  readonly as?: string;
  /** Columns that are not read. */
  readonly without?: readonly (keyof Stored<M> & string)[];
}

/** The columns of a record for a `select`, each under its field's name; its secrets are not among them. */
export function columnsOf<M extends Model>(model: M, { as = 'r', without = [] }: Columns<M> = {}): Sql {
  return raw(
    fieldsOf(model, without)
      .map(({ name }) => (columnOf(name) === name ? `${as}.${name}` : `${as}.${columnOf(name)} as "${name}"`))
      .join(', '),
  );
}

/**
 * A record as one JSON value, to be read inside another's row. Amounts are text in it, since a JSON number would become
 * a float on the way; `fromJson` makes the record of it again.
 */
export function jsonOf(model: Model, as: string): Sql {
  const members = allFieldsOf(model).map(({ name, type }) => {
    const column = `${as}.${columnOf(name)}`;
    return `'${name}', ${type === 'Decimal' ? `${column}::text` : column}`;
  });
  return raw(`jsonb_build_object(${members.join(', ')})`);
}

/** The record that `jsonOf` made a JSON value of. */
export function fromJson<M extends Model>(model: M, value: object): Stored<M> {
  const members = value as Readonly<Record<string, unknown>>;
  const record: Record<string, unknown> = {};
  for (const { name, type } of allFieldsOf(model)) record[name] = revive(type, members[name]);
  return record as Stored<M>;
}

function revive(type: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'Decimal') return new Decimal(value);
  return type === 'DateTime' ? new Date(value) : value;
}
