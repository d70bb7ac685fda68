import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { schema } from '../../../src/app/schema.ts';

const Node = schema.getType('Node');

const isRecord = (type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && type.getInterfaces().some((each) => each === Node);

/** All types of records. */
export const RECORDS: readonly GraphQLObjectType[] = Object.values(schema.getTypeMap()).filter(isRecord);

/** A field of each record that stands in its row alone, so that no answer of it is made of an ID. */
const READ = [
  'createdAt',
  'raisedAt',
  'occurredAt',
  'receivedAt',
  'at',
  'ts',
  'outcome',
  'agencyKind',
  'issuedAt',
  'bookedOn',
];

/** The selection for each record that an edge leads to. */
function selectRecord(type: GraphQLObjectType): string {
  return `... on ${type.name} { __typename id ${READ.find((name) => name in type.getFields())} }`;
}

/** An edge, or several over what is no record itself: as it is selected, and the record types that it may lead to. */
export interface Edge {
  /** Its fields, from a type on. */
  readonly way: string;
  readonly leadsTo: readonly GraphQLObjectType[];
  /** Its fields, around what is selected of what they lead to. */
  readonly around: (selection: string) => string;
  readonly selection: string;
}

/** The records that a value of a type is or may be; none where it is something else. */
function recordsAt(type: GraphQLNamedType): readonly GraphQLObjectType[] {
  return (isAbstractType(type) ? schema.getPossibleTypes(type) : [type]).filter(isRecord);
}

/** Few rows of a list, groups that have an agency and a service, and what finds these. */
function argumentsOf({ name: field, args }: GraphQLField<unknown, unknown>): string {
  const given = args.flatMap(({ name, type }) => {
    if (name === 'first') return ['first: 3'];
    if (field === 'find' && name === 'q') return ['q: "URA"'];
    const of = getNamedType(type);
    if (name !== 'by' || !isEnumType(of)) return [];
    const groups = ['agency', 'service', 'counter'].filter((group) => of.getValue(group));
    return groups.length > 0 ? [`by: [${groups.join(', ')}]`] : [];
  });
  return given.length > 0 ? `(${given.join(', ')})` : '';
}

/** All edges of a type that need no argument, through lists and values that are no records, so many values deep. */
export function edgesOf(type: GraphQLObjectType, deep = 3): Edge[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const to = getNamedType(field.type);
    if (field.args.some(isRequiredArgument)) return [];
    const named = field.name + argumentsOf(field);
    const records = recordsAt(to);
    if (records.length > 0) {
      const selection = records.map(selectRecord).join(' ');
      const around = (selected: string) => `${named} { ${selected} }`;
      return [{ way: field.name, leadsTo: records, around, selection: around(selection) }];
    }
    if (!isObjectType(to) || deep === 0) return [];
    const isConnection = to.name.endsWith('Connection');
    return edgesOf(to, isConnection ? deep : deep - 1)
      .filter(({ way }) => !isConnection || /^nodes\b/.test(way))
      .map(({ way, leadsTo, around, selection }) => ({
        way: `${field.name}.${way}`,
        leadsTo,
        around: (selected: string) => `${named} { ${around(selected)} }`,
        selection: `${named} { ${selection} }`,
      }));
  });
}
