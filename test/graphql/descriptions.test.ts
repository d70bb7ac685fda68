import { getNamedType, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/app/schema.ts';

interface Described {
  readonly coordinate: string;
  readonly description: string;
}

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

/** Whatever of the schema a caller reads about, by its coordinate. */
function* listDescribed(): Generator<Described> {
  for (const type of types) {
    // Those of the specification are known.
    if (!['String', 'Int', 'Float', 'Boolean', 'ID'].includes(type.name))
      yield { coordinate: type.name, description: type.description ?? '' };
    if (isEnumType(type))
      for (const { name, description } of type.getValues())
        yield { coordinate: `${type.name}.${name}`, description: description ?? '' };
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      yield { coordinate: `${type.name}.${field.name}`, description: field.description ?? '' };
      for (const { name, description } of 'args' in field ? field.args : [])
        yield { coordinate: `${type.name}.${field.name}(${name}:)`, description: description ?? '' };
    }
  }
}

/** Arguments and members of inputs, by their coordinates. */
function* listInputs(): Generator<{ readonly coordinate: string; readonly name: string; readonly type: string }> {
  for (const type of types) {
    if (isInputObjectType(type))
      for (const { name, type: taken } of Object.values(type.getFields()))
        yield { coordinate: `${type.name}.${name}`, name, type: getNamedType(taken).name };
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()))
      for (const { name, type: taken } of field.args)
        yield { coordinate: `${type.name}.${field.name}(${name}:)`, name, type: getNamedType(taken).name };
  }
}

describe('the schema', () => {
  it('says of each thing more than three words: its unit, format or rule, or when it is null', () => {
    const described = [...listDescribed()];
    expect(described.length).toBeGreaterThan(1_400);
    const short = described.filter(({ description }) => description.split(/\s+/).length <= 3);
    expect(short.map(({ coordinate, description }) => `${coordinate}: ${description}`)).toEqual([]);
  });

  it('calls moments that bound something `from` and `to`, and days `fromDate`, `toDate` and `on`', () => {
    const names: Readonly<Record<string, RegExp>> = {
      DateTime: /^(from|to|since|\w+At)$/,
      Date: /^((from|to|dueFrom|dueTo)Date|effectiveFrom|day|on|(d|firstD)ueOn)$/,
    };
    const dates = [...listInputs()].filter(({ type }) => Object.hasOwn(names, type));
    expect(dates.length).toBeGreaterThan(20);
    expect(dates.filter(({ name, type }) => !names[type]!.test(name)).map(({ coordinate }) => coordinate)).toEqual([]);
  });
});
