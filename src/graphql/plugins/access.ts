import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { type Need, rolesWith } from '../../platform/access/needs.ts';
import { findEdgeRefusal, findRefusal, refuseAllButStaff, showsBearer } from '../../platform/access/viewer.ts';
import type { Call } from '../../platform/call/call.ts';

/**
 * Number of people for a change on a live rail: one; two, independent of each other; or two where it moves money or
 * allows more than before, and one otherwise. Decisions on another person's request count as two.
 */
export type People = 'alone' | 'two' | 'two where it widens';

/**
 * Access that a field declares: for the GraphQL resolvers, and, in the schema's extensions, for the REST layer and its
 * description.
 */
export interface Access {
  readonly need?: Need;
  /** Number of people that it takes: declared by every mutation that staff may use. */
  readonly people?: People;
  /** Open to everyone, but counted by the address that asks: as a try to sign up or in, or as a look at a record. */
  readonly addressLimit?: 'address' | 'records';
  /** The argument that names the address or account whose request it is, where no credential does. */
  readonly namedBy?: string;
  /** Open to everyone whose request itself proves who sent it; those that do not are counted by its verb. */
  readonly provenByItself?: boolean;
  /** Open to everyone, and answered for those of these who show a credential. */
  readonly welcomes?: 'integrators' | 'staff';
  /** Asks a system outside the rail, which may fail or be too slow: always, or where it is asked to. */
  readonly outside?: boolean | 'on request';
  /** Open to everyone except some of its input, which its verb looks at. */
  readonly openInPart?: boolean;
  /** Looks for something that its input names, and may not find it. */
  readonly missing?: boolean;
  /** Asks for more than the record that it is a field of: those who may not see it see the rest. */
  readonly alone?: boolean;
  /** Open to everyone, who all get the same of it while this answers the same. */
  readonly readVersion?: (call: Call) => Promise<string>;
}

/** Access that a field of the schema declares. */
export function accessOf(
  field: { readonly extensions?: Readonly<Record<string, unknown>> | null | undefined } | undefined,
): Access {
  return field?.extensions?.['access'] ?? {};
}

/** Lets a call through or refuses it; in time, where it has to be counted first. */
type Admit = (call: Call) => Promise<void> | undefined;

/** Check of calls against a field's access; null if all are admitted. */
function admissionOf({ need, addressLimit, welcomes }: Access, isRoot: boolean): Admit | null {
  if (need)
    return ({ viewer }) => {
      const refusal = isRoot ? findRefusal(viewer, need) : findEdgeRefusal(viewer, need);
      if (refusal) throw refusal;
      return undefined;
    };
  if (addressLimit)
    return async ({ rail, transport: { admitted, source } }) => {
      if (!admitted) await rail.limits.countAddress(source.address, addressLimit);
    };
  // A bearer key or token is no session of staff, and is told so rather than taken for nobody.
  if (welcomes === 'staff')
    return ({ viewer }) => {
      if (showsBearer(viewer)) throw refuseAllButStaff();
      return undefined;
    };
  return null;
}

/**
 * Refuses what a caller may not use, before its input is looked at, and writes what a field declares of its access into
 * the schema's extensions. A plain function around a resolver: lists ask it for each of their rows.
 */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { access } = field.pothosOptions;
    if (field.kind === 'Mutation' && access?.need && !access.people && rolesWith(access.need).length > 0)
      throw new Error(`${field.name} takes ${access.need}, and does not declare how many people it takes`);
    return access ? { ...field, extensions: { ...field.extensions, access } } : field;
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    // A stream is admitted once, where it begins.
    return field.kind === 'Subscription' ? resolve : guardResolver(resolve, field);
  }

  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscribe && guardResolver(subscribe, field);
  }
}

const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

function guardResolver<Types extends SchemaTypes, Context>(
  resolve: GraphQLFieldResolver<unknown, Context, object>,
  field: PothosOutputFieldConfig<Types>,
): GraphQLFieldResolver<unknown, Context, object> {
  const admit = admissionOf(accessOf(field), ROOTS.has(field.kind));
  if (!admit) return resolve;
  return (parent, args, context, info) => {
    const counted = admit(context as Call);
    return counted ? counted.then(() => resolve(parent, args, context, info)) : resolve(parent, args, context, info);
  };
}

declare global {
  // eslint-disable-next-line typescript/no-namespace -- how Pothos learns of its plugins
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>;
    }

    /* eslint-disable typescript/no-unused-vars -- has to be declared as Pothos does */
    interface FieldOptions<
      Types extends SchemaTypes,
      ParentShape,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** Access of the field; open to everyone without it. */
      access?: Access;
    }
    /* eslint-enable typescript/no-unused-vars */
  }
}

SchemaBuilder.registerPlugin('access', AccessPlugin);

/** The name of the plugin that looks at access. It has to be the first: what it refuses, no other looks at. */
export const access = 'access';
