import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Need } from '../../platform/access/needs.ts';
import { findRefusal } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Detail, refuseValues } from '../../kernel/refusal.ts';
import type { shape } from '../input/shapes.ts';
import type { Words } from '../../kernel/text/said.ts';

/** An object that a filter names, which has to exist: figures of a missing one would look like figures of nothing. */
export interface Known {
  readonly exists: (call: Call, code: string) => Promise<boolean>;
  /** The refusal of a code that does not exist. */
  readonly refuse: (code: string) => Words;
  /** Need for filtering by it at all, and so for learning what exists. */
  readonly need?: Need;
}

/** Declares that an argument names what has to exist, among its options and with its shape. */
export function naming(known: Known, { extensions }: ReturnType<typeof shape>) {
  return { extensions: { ...extensions, known } };
}

function knownOf({
  extensions,
}: {
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}): Known | null {
  return (extensions?.['known'] as Known | undefined) ?? null;
}

type Naming = readonly [name: string, known: Known];

/** Refuses arguments that name what does not exist, before the field is resolved. */
class KnownPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { args }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const namings = Object.entries(args).flatMap(([name, argument]): Naming[] => {
      const known = knownOf(argument);
      return known ? [[name, known]] : [];
    });
    return namings.length === 0 ? resolve : guardResolver(resolve, namings);
  }
}

function guardResolver<Context extends object>(
  resolve: GraphQLFieldResolver<unknown, Context, object>,
  namings: readonly Naming[],
): GraphQLFieldResolver<unknown, Context, object> {
  return (parent, args, context, info) => {
    const given = namings.filter(([name]) => (args as Given)[name] !== null && (args as Given)[name] !== undefined);
    if (given.length === 0) return resolve(parent, args, context, info);
    return findUnknown(context as unknown as Call, args as Given, given).then((details) => {
      if (details.length > 0) throw refuseValues(details);
      return resolve(parent, args, context, info);
    });
  };
}

type Given = Readonly<Record<string, string | readonly string[] | null | undefined>>;

async function findUnknown(call: Call, args: Given, namings: readonly Naming[]): Promise<Detail[]> {
  for (const [, { need }] of namings) {
    const refusal = need ? findRefusal(call.viewer, need) : null;
    if (refusal) throw refusal;
  }
  const codes = namings.flatMap(([name, known]) => {
    const value = args[name]!;
    return typeof value === 'string'
      ? [{ path: name, code: value, known }]
      : value.map((code, index) => ({ path: `${name}[${index}]`, code, known }));
  });
  const exist = await Promise.all(codes.map(({ code, known }) => known.exists(call, code)));
  return codes.flatMap(({ path, code, known: { refuse } }, index) =>
    exist[index] ? [] : [{ path, message: refuse(code) }],
  );
}

declare global {
  // eslint-disable-next-line typescript/no-namespace -- how Pothos learns of its plugins
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      known: KnownPlugin<Types>;
    }
  }
}

SchemaBuilder.registerPlugin('known', KnownPlugin);

/** The name of the plugin that looks up what arguments name. It stands after shapes: it looks at what fits them. */
export const known = 'known';
