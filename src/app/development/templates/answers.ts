import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { flatOf } from '../../../graphql/documents/flat.ts';

/** Types of answered scalars. */
export const SCALARS: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  DateTime: 'string',
  Date: 'string',
  Byte: 'string',
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
  Decimal: 'number',
  JSON: 'unknown',
  Metadata: 'Readonly<Record<string, string>>',
};

/** A member of an object: its type in TypeScript, and whether the object may lack it. */
interface Member {
  readonly type: string;
  readonly optional: boolean;
}
type Members = ReadonlyMap<string, Member>;
/** Positions in an answer. */
type Places = readonly (readonly string[])[];

/** A field as a selection has it, with what else selects of the same one. */
interface Selected {
  readonly node: FieldNode;
  readonly within: SelectionSetNode[];
  readonly optional: boolean;
}

/** The enums of a schema, each as the union of its values. */
export function enumsOf(schema: GraphQLSchema): string {
  const enums = Object.values(schema.getTypeMap()).filter((type) => isEnumType(type) && !type.name.startsWith('__'));
  return enums.map((type) => `export type ${type.name} = ${unionOf(type)};\n`).join('');
}

/** The values of an enum. */
export function unionOf(type: GraphQLNamedType | undefined): string {
  return isEnumType(type)
    ? type
        .getValues()
        .map(({ name }) => `'${name}'`)
        .join(' | ')
    : 'never';
}

/** The types of what the operations of a document answer. */
export class Answers {
  readonly #schema: GraphQLSchema;
  readonly #partly: boolean;
  readonly #fragments: ReadonlyMap<string, { readonly selectionSet: SelectionSetNode; readonly on: string }>;
  /** The enums that they name. */
  readonly enums = new Set<string>();

  /** With `partly`, what fails is null; otherwise the whole fails, and what is null for no other reason never is. */
  constructor(schema: GraphQLSchema, document: DocumentNode, partly: boolean) {
    this.#schema = schema;
    this.#partly = partly;
    this.#fragments = new Map(
      document.definitions
        .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
        .map(({ name, selectionSet, typeCondition }) => [name.value, { selectionSet, on: typeCondition.name.value }]),
    );
  }

  /** Type of an operation's answer; named places are never null, as its template is not shown otherwise. */
  typeOf({ operation, selectionSet }: OperationDefinitionNode, named: Places = []): string {
    return write(this.#membersOf([selectionSet], this.#schema.getRootType(operation)!, { named }));
  }

  /** Members of a form step's answer, which was refused if its first field is null, however deep. */
  membersOf({ operation, selectionSet }: OperationDefinitionNode): Members {
    const [first] = selectionSet.selections;
    const named = first?.kind === Kind.FIELD ? [[nameOf(first)]] : [];
    return this.#membersOf([selectionSet], this.#schema.getRootType(operation)!, { named, isFlat: true });
  }

  /** The members of an object, with those of fields in their place that are to be flat. */
  #membersOf(
    sets: readonly SelectionSetNode[],
    type: GraphQLCompositeType,
    { named = [], isFlat = false }: { readonly named?: Places; readonly isFlat?: boolean } = {},
  ): Members {
    const members = new Map<string, Member>();
    for (const [name, { node, within, optional }] of this.#select(sets, type)) {
      if (node.name.value === '__typename') {
        members.set(name, { type: `'${type.name}'`, optional });
        continue;
      }
      const field = this.#schema.getField(type, node.name.value);
      if (!field) throw new Error(`${type.name} has no field ${node.name.value}`);
      const plain = getNullableType(field.type);
      const inside = named.filter(([first]) => first === name).map(([, ...rest]) => rest);
      const isThere =
        isNonNullType(field.type) ||
        inside.some(({ length }) => length === 0) ||
        (!this.#partly && this.#isThere(field, type));
      if (isObjectType(plain) && (isFlat || flatOf(node))) {
        // A step's answer lacks what is null; an object that a document makes flat leaves null in its place.
        for (const [key, member] of this.#membersOf(within, plain, { isFlat }))
          members.set(key, {
            type: isThere || isFlat ? member.type : `${member.type} | null`,
            optional: optional || member.optional || (isFlat && !isThere),
          });
      } else {
        const present = this.#write(plain, within, inside);
        members.set(name, { type: isThere ? present : `${present} | null`, optional });
      }
    }
    return members;
  }

  /** True if a field has a value when nothing failed: a list, and a record whose ID is there in any case. */
  #isThere(field: GraphQLField<unknown, unknown>, of: GraphQLCompositeType): boolean {
    const type = getNullableType(field.type);
    if (isListType(type)) return true;
    if (!isCompositeType(type)) return false;
    const id = this.#schema.getField(of, `${field.name}Id`);
    return isNonNullType(id?.type) || (isObjectType(type) && 'nodes' in type.getFields());
  }

  /** A type without its null; of a named place, without the kinds of records that a page has nothing to show of. */
  #write(type: GraphQLOutputType, within: readonly SelectionSetNode[], named: Places = []): string {
    if (isNonNullType(type)) return this.#write(type.ofType, within);
    if (isListType(type))
      return `readonly (${this.#write(type.ofType, within)}${isNonNullType(type.ofType) ? '' : ' | null'})[]`;
    if (isEnumType(type)) {
      this.enums.add(type.name);
      return type.name;
    }
    if (isCompositeType(type)) {
      const kinds = isAbstractType(type) ? this.#schema.getPossibleTypes(type) : [type];
      const shapes = kinds.map((kind) => this.#membersOf(within, kind, { named }));
      return writeUnion(named.length > 0 ? shapes.filter(({ size }) => size > 0) : shapes);
    }
    const scalar = SCALARS[getNamedType(type).name];
    if (scalar === undefined) throw new Error(`No type is known for the scalar ${getNamedType(type).name}`);
    return scalar;
  }

  /** The fields that selections have of a type, by the names that they answer them by. */
  #select(sets: readonly SelectionSetNode[], type: GraphQLCompositeType): ReadonlyMap<string, Selected> {
    const all = new Map<string, Selected>();
    const add = (set: SelectionSetNode, maybe: boolean): void => {
      for (const node of set.selections) {
        const optional = maybe || (node.directives ?? []).some(({ name }) => ['include', 'skip'].includes(name.value));
        if (node.kind === Kind.FIELD) {
          const name = nameOf(node);
          const known = all.get(name);
          const within = [...(known?.within ?? []), ...(node.selectionSet ? [node.selectionSet] : [])];
          all.set(name, { node, within, optional: optional && (known?.optional ?? true) });
          continue;
        }
        const spread =
          node.kind === Kind.FRAGMENT_SPREAD
            ? this.#fragments.get(node.name.value)!
            : { selectionSet: node.selectionSet, on: node.typeCondition?.name.value ?? type.name };
        if (this.#isOf(type, spread.on)) add(spread.selectionSet, optional);
      }
    };
    for (const set of sets) add(set, false);
    return all;
  }

  #isOf(type: GraphQLCompositeType, on: string): boolean {
    if (type.name === on) return true;
    const wider = this.#schema.getType(on);
    return isAbstractType(wider) && isObjectType(type) && this.#schema.isSubType(wider, type);
  }
}

const nameOf = ({ alias, name }: FieldNode) => (alias ?? name).value;

/** An object's type in TypeScript. */
export function write(members: Members): string {
  const all = [...members].map(([name, { type, optional }]) => `readonly ${name}${optional ? '?' : ''}: ${type}`);
  return `{ ${all.join('; ')} }`;
}

/** One of several objects: what others have is known not to be in it, so that a template may look for it in any. */
function writeUnion(shapes: readonly Members[]): string {
  const names = new Set(shapes.flatMap((members) => [...members.keys()]));
  const lacking = [...names].map((name): [string, Member] => [name, { type: 'undefined', optional: true }]);
  return [...new Set(shapes.map((members) => write(new Map([...lacking, ...members]))))].join(' | ');
}
