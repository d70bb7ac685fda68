// Documents over the mocked schema that follow from a tape of numbers: shorter tapes and lower numbers are simpler ones.
import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLObjectType,
  doTypesOverlap,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  isUnionType,
  print,
  parse,
} from 'graphql';
import type { Asked } from './both.ts';
import { inputsOf, literalsOf, schema } from './mocked.ts';

const DEEPEST = 4;

const composites = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLCompositeType => isCompositeType(type) && !isIntrospectionType(type),
);
const overlapping = new Map(
  composites.map((type) => [type, composites.filter((other) => doTypesOverlap(schema, type, other))]),
);

export class RandomOperation {
  readonly #tape: Uint8Array;
  readonly #mistakes: boolean;
  #at = 0;
  #aliases = 0;
  readonly #variables: string[] = [];
  readonly #values: Record<string, unknown> = {};
  /** Fragments that are whole, so that none leads to itself. */
  readonly #fragments: { readonly name: string; readonly type: GraphQLCompositeType; readonly text: string }[] = [];

  /** Without mistakes, what it gives for variables fits. */
  constructor(tape: Uint8Array, mistakes = true) {
    this.#tape = tape;
    this.#mistakes = mistakes;
  }

  /** Its text, and what is given for its variables. */
  make(): Asked & { readonly text: string } {
    const isMutation = this.#oneIn(5);
    const type = (isMutation ? schema.getMutationType() : schema.getQueryType())!;
    const selection = this.#selectionOf(type, 0);
    const others = this.#oneIn(8) ? ['query Other { __typename }'] : [];
    const name = others.length > 0 || this.#oneIn(2) ? 'Made' : '';
    const head = `${isMutation ? 'mutation' : 'query'} ${name}${this.#variables.length > 0 ? `(${this.#variables.join(', ')})` : ''}`;
    const text = [`${head} ${selection}`, ...this.#fragments.map((fragment) => fragment.text), ...others].join('\n');
    const document = parse(text);
    return { text: print(document), document, operationName: name || undefined, variableValues: this.#values };
  }

  /** A number below another; 0 once the tape is at its end. */
  #choose(count: number): number {
    return (this.#tape[this.#at++] ?? 0) % count;
  }

  /** Never at the end of the tape. */
  #oneIn(count: number): boolean {
    return this.#choose(count) === count - 1;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#choose(values.length)]!;
  }

  #selectionOf(type: GraphQLCompositeType, depth: number): string {
    const parts = Array.from({ length: 1 + this.#choose(4) }, () => this.#partOf(type, depth));
    // A field that is selected twice is answered once.
    if (this.#oneIn(6)) parts.push(parts[0]!);
    return `{ ${parts.join(' ')} }`;
  }

  #partOf(type: GraphQLCompositeType, depth: number): string {
    const form = this.#choose(8);
    if (form <= 4 && !isUnionType(type)) return this.#fieldOf(type, depth);
    if (form === 5 || depth > DEEPEST) return `__typename${this.#conditions()}`;
    const of = this.#pick(overlapping.get(type)!);
    if (form === 6) {
      const condition = this.#oneIn(4) ? '' : `... on ${of.name}`;
      return `${condition || '...'}${this.#conditions()} ${this.#selectionOf(condition ? of : type, depth + 1)}`;
    }
    const fitting = this.#fragments.filter((fragment) => doTypesOverlap(schema, fragment.type, type));
    if (fitting.length > 0 && this.#oneIn(2)) return `...${this.#pick(fitting).name}${this.#conditions()}`;
    const selection = this.#selectionOf(of, depth + 1);
    const name = `F${this.#fragments.length}`;
    this.#fragments.push({ name, type: of, text: `fragment ${name} on ${of.name} ${selection}` });
    return `...${name}${this.#conditions()}`;
  }

  #fieldOf(type: Exclude<GraphQLCompositeType, { getTypes: unknown }> | GraphQLObjectType, depth: number): string {
    const all = Object.values(type.getFields());
    const leaves = all.filter((field) => isLeafType(getNamedType(field.type)));
    const fields = depth < DEEPEST ? all : leaves;
    if (fields.length === 0) return '__typename';
    const field = this.#pick(fields);
    const given = field.args.flatMap((argument) => this.#argument(argument));
    const selected = getNamedType(field.type);
    const below = isCompositeType(selected) ? ` ${this.#selectionOf(selected, depth + 1)}` : '';
    // With other arguments it would be another field of the same name.
    const alias = field.args.length > 0 || below || this.#oneIn(4) ? `a${this.#aliases++}: ` : '';
    return `${alias}${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''}${this.#conditions()}${below}`;
  }

  #argument(argument: GraphQLArgument): string[] {
    if (!isRequiredArgument(argument) && !this.#oneIn(2)) return [];
    return [`${argument.name}: ${this.#valueOf(argument.type, hasDefault(argument))}`];
  }

  #conditions(): string {
    if (!this.#oneIn(5)) return '';
    const directive = this.#pick(['@include', '@skip']);
    const constant = this.#pick(['true', 'false']);
    if (this.#oneIn(2)) return ` ${directive}(if: ${constant})`;
    const name = `c${this.#choose(3)}`;
    if (!Object.hasOwn(this.#values, name)) {
      const isNullable = this.#oneIn(3);
      this.#variables.push(`$${name}: Boolean${isNullable ? ` = ${constant}` : '!'}`);
      this.#values[name] = isNullable ? this.#pick([undefined, true, null]) : this.#pick([true, false]);
    }
    return ` ${directive}(if: $${name})`;
  }

  /** A value in a document: a constant, or a variable, or both in one. */
  #valueOf(type: GraphQLInputType, mayBeAbsent: boolean, depth = 0): string {
    if (this.#oneIn(3)) return this.#variableOf(type, mayBeAbsent);
    if (!isNonNullType(type) && this.#oneIn(6)) return 'null';
    const of = getNullableType(type);
    if (isListType(of)) {
      if (this.#oneIn(4) && depth < DEEPEST) return this.#valueOf(of.ofType, false, depth + 1);
      return `[${Array.from({ length: this.#choose(3) }, () => this.#valueOf(of.ofType, false, depth + 1)).join(', ')}]`;
    }
    if (isEnumType(of)) return this.#pick(of.getValues()).name;
    if (isScalarType(of)) return this.#pick(literalsOf(of));
    if (!isInputObjectType(of)) throw new Error(`${String(type)} is no type of an input`);
    const fields = Object.values(of.getFields());
    const given = of.isOneOf ? [this.#pick(fields)] : fields.filter((field) => this.#isGiven(field, depth));
    const members = given.map(({ name, type: inner, ...field }) => {
      const wanted = of.isOneOf ? this.#constantOf(inner) : this.#valueOf(inner, hasDefault(field), depth + 1);
      return `${name}: ${wanted}`;
    });
    return `{${members.join(', ')}}`;
  }

  /** A value without variables that is not null. */
  #constantOf(type: GraphQLInputType): string {
    const of = getNullableType(type);
    if (isListType(of)) return `[${this.#constantOf(of.ofType)}]`;
    if (isEnumType(of)) return this.#pick(of.getValues()).name;
    if (isScalarType(of)) return this.#pick(literalsOf(of));
    if (!isInputObjectType(of)) throw new Error(`${String(type)} is no type of an input`);
    const fields = Object.values(of.getFields());
    const given = of.isOneOf ? [this.#pick(fields)] : fields.filter(isRequiredInputField);
    return `{${given.map(({ name, type: inner }) => `${name}: ${this.#constantOf(inner)}`).join(', ')}}`;
  }

  #isGiven(field: GraphQLInputField, depth: number): boolean {
    return isRequiredInputField(field) || (depth < 2 && this.#oneIn(3));
  }

  #variableOf(type: GraphQLInputType, mayBeAbsent: boolean): string {
    const name = `v${this.#variables.length}`;
    const isNonNull = isNonNullType(type);
    const declared = isNonNull && mayBeAbsent && this.#oneIn(2) ? getNullableType(type) : type;
    const defaultValue = this.#oneIn(4) ? ` = ${this.#constantOf(type)}` : '';
    this.#variables.push(`$${name}: ${String(declared)}${defaultValue}`);
    const value = this.jsonOf(declared, defaultValue !== '');
    if (value !== undefined) this.#values[name] = value;
    return `$${name}`;
  }

  /** The value of a variable: mostly one that fits. */
  jsonOf(type: GraphQLInputType, hasDefault = false, depth = 0): unknown {
    const way = this.#choose(16);
    if (way === 15 && this.#mistakes) return this.#pick([null, undefined, 'no', 10 ** 12, [], {}]);
    if (way >= 13 && !isNonNullType(type)) return way === 13 && this.#mistakes ? null : undefined;
    if (way === 12 && hasDefault) return undefined;
    const of = getNullableType(type);
    if (isListType(of)) return Array.from({ length: this.#choose(3) }, () => this.jsonOf(of.ofType, false, depth + 1));
    if (isEnumType(of)) return this.#pick(of.getValues()).name;
    if (isScalarType(of)) return this.#pick(inputsOf(of));
    if (!isInputObjectType(of)) throw new Error(`${String(type)} is no type of an input`);
    const fields = Object.values(of.getFields());
    const given = of.isOneOf ? [this.#pick(fields)] : fields.filter((field) => this.#isGiven(field, depth));
    const typeOf = (inner: GraphQLInputType) =>
      of.isOneOf && !this.#mistakes ? new GraphQLNonNull(getNullableType(inner)) : inner;
    return Object.fromEntries(given.map((field) => [field.name, this.jsonOf(typeOf(field.type), false, depth + 1)]));
  }
}

const hasDefault = ({ default: given, defaultValue }: Pick<GraphQLArgument, 'default' | 'defaultValue'>): boolean =>
  given !== undefined || defaultValue !== undefined;
