import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';

/**
 * A field that may fail while its siblings answer is nullable in the schema, though it has an answer unless it has
 * an error: the error names its path, and the rest of the answer arrives. These are fields of a type that is declared
 * so, fields that ask for more than their record does, roots that ask a system outside the rail, and roots that look
 * one thing up by what their arguments name.
 */
class PartialPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (field.type.nullable || !this.#mayFailAlone(field)) return field;
    return { ...field, type: { ...field.type, nullable: true }, extensions: { ...field.extensions, failsAlone: true } };
  }

  #mayFailAlone({ kind, parentType, type, args, pothosOptions }: PothosOutputFieldConfig<Types>): boolean {
    const { outside, alone } = pothosOptions.access ?? {};
    if (kind !== 'Query' && kind !== 'Mutation')
      return alone === true || this.buildCache.getTypeConfig(parentType).extensions?.['partial'] === true;
    return (
      outside === true ||
      (kind === 'Query' && type.kind === 'Object' && Object.values(args).some(({ type: { required } }) => required))
    );
  }
}

declare global {
  // eslint-disable-next-line typescript/no-namespace -- how Pothos learns of its plugins
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      partial: PartialPlugin<Types>;
    }
  }
}

SchemaBuilder.registerPlugin('partial', PartialPlugin);

/** The name of the plugin that keeps the failure of one field from taking the others with it. */
export const partial = 'partial';

/** Declares a type of which each field may fail alone, among its options. */
export const failingByField = { extensions: { partial: true } };

/** True if a field is null only where it has an error. */
export function failsAlone({ extensions }: { readonly extensions: Readonly<Record<string, unknown>> }): boolean {
  return extensions['failsAlone'] === true;
}
