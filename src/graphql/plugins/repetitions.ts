import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type InputShapeFromFields,
  type MaybePromise,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type ShapeFromTypeParam,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Call } from '../../platform/call/call.ts';

/**
 * Under an `Idempotency-Key` a mutation changes something once. A try whose process dies between its change and its
 * answer leaves the docname of what it changed: the next one answers from that by the field's `answerAgain`, and
 * changes nothing.
 */
class RepetitionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (field.kind !== 'Mutation' || !field.pothosOptions.answerAgain) return resolve;
    const { answerAgain } = field.pothosOptions;
    return (parent, args, context, info) => {
      const changed = (context as Partial<Pick<Call, 'once'>>).once?.changed;
      return changed
        ? answerAgain(context, changed, args as Record<string, unknown>)
        : resolve(parent, args, context, info);
    };
  }
}

declare global {
  // eslint-disable-next-line typescript/no-namespace -- how Pothos learns of its plugins
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      repetitions: RepetitionsPlugin<Types>;
    }

    interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      // eslint-disable-next-line typescript/no-unused-vars -- has to be declared as Pothos does
      ResolveReturnShape,
    > {
      /**
       * Answers for a change that was made, but whose process died before it could answer: from the docname of what was
       * changed.
       */
      answerAgain?: (
        call: Types['Context'],
        changed: string,
        args: InputShapeFromFields<Args>,
      ) => MaybePromise<ShapeFromTypeParam<Types, Type, Nullable>>;
    }
  }
}

SchemaBuilder.registerPlugin('repetitions', RepetitionsPlugin);

/**
 * The name of the plugin that answers for changes of earlier tries. It has to be the last: what comes to it would be
 * run.
 */
export const repetitions = 'repetitions';
