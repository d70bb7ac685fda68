import { type GraphQLField, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { listOf } from '../src/graphql/prepared.ts';
import { columnOf } from '../src/platform/database/record.ts';
import { Refusal } from '../src/kernel/refusal.ts';
import type { Endpoint } from './load.ts';

/**
 * Translation of messages: the core names arguments and operations as the schema does, `payerMsisdn`, and an operation
 * in backticks. REST names the variable that an argument takes, and the address that an operation has, as its documents
 * do.
 */
export interface Wording {
  /** A refusal of what an endpoint asked for. */
  refusal(refusal: Refusal, endpoint: Endpoint): Refusal;
  message(text: string): string;
  /** A text in Markdown, in which addresses keep their backticks; of an endpoint, with the names of its parameters. */
  description(text: string, endpoint?: Endpoint): string;
}

type Names = ReadonlyMap<string, string>;

const NONE: Names = new Map();
/** A name of several words; names of one word are told from prose only where a path begins. */
const SEVERAL_WORDS = /\b[a-z]+[A-Z]\w*\b/g;
const PATH_BEGINS = /(?<=^|; )\w+(?=[.:[])/g;
const QUOTED = /(?<=`)\w+(?=`)/g;
/** An operation, with one argument at most: `myWebhookDeliveries(type: webhook_test)`. */
const OPERATION = /(with )?`(\w+)(?:\((\w+): (\w+)\))?`/g;

/** The words of REST for those of the schema. */
export function wordingOf(endpoints: readonly Endpoint[]): Wording {
  const all: Names = new Map(
    [...endpoints.flatMap(membersOf), ...endpoints.flatMap(renamesOf)].filter(([argument]) => /[A-Z]/.test(argument)),
  );
  const published = new Map(endpoints.toReversed().map((endpoint) => [askedOf(endpoint).name, endpoint]));
  const inRest = (text: string) => text.replace(SEVERAL_WORDS, (name) => all.get(name) ?? name);
  const operation =
    (quote: string) =>
    (
      text: string,
      preposition: string | undefined,
      name: string,
      argument: string | undefined,
      value: string | undefined,
    ): string => {
      const endpoint = published.get(name);
      if (!endpoint) return text;
      const query = argument && value ? `?${argument}=${valueOf(endpoint, argument, value)}` : '';
      // Something is posted to an address; of other methods it has to be said.
      if (endpoint.method === 'POST') return `${preposition ? 'at ' : ''}${quote}${endpoint.path}${query}${quote}`;
      return `${preposition ?? ''}${quote}${endpoint.method} ${endpoint.path}${query}${quote}`;
    };
  const worded = (text: string, own: Names, quote = ''): string =>
    text
      .replace(PATH_BEGINS, (name) => own.get(name) ?? name)
      .replace(SEVERAL_WORDS, (name) => own.get(name) ?? all.get(name) ?? name)
      .replace(OPERATION, operation(quote));
  return {
    refusal: ({ code, message, details, quota }, endpoint) => {
      const own: Names = new Map(renamesOf(endpoint));
      const path = (text: string) => {
        const member = endpoint.parameters.find(
          ({ place }) => text.startsWith(place) && !/^\w/.test(text.slice(place.length)),
        );
        if (member) {
          const rest = text.slice(member.place.length);
          return member.name + inRest(member.one ? rest.replace('[0]', '') : rest);
        }
        return inRest(text.replace(/^\w+/, (name) => own.get(name) ?? all.get(name) ?? name));
      };
      const renamed = details.map((detail) => ({
        ...detail,
        path: path(detail.path),
        message: worded(String(detail.message), NONE),
      }));
      return new Refusal(code, worded(message, own), renamed, quota);
    },
    message: (text) => worded(text, NONE),
    description: (text, endpoint) => {
      const own: Names = new Map(endpoint && renamesOf(endpoint));
      return worded(
        text.replace(QUOTED, (name) => own.get(name) ?? name),
        own,
        '`',
      );
    },
  };
}

/** The field that an endpoint asks for: of a connection, the connection rather than its rows. */
function askedOf({ prepared: { fields, answer } }: Endpoint): GraphQLField<unknown, unknown> {
  return (listOf(fields) ?? answer)[0];
}

/** The arguments that an endpoint's document gives a variable of another name, with that name. */
function renamesOf({ parameters }: Endpoint): [argument: string, variable: string][] {
  return parameters.flatMap(({ name, argument }) =>
    argument && argument.name !== name ? [[argument.name, name]] : [],
  );
}

/** The members of the input objects that an endpoint takes, with their names in REST. */
function membersOf({ parameters }: Endpoint): [member: string, name: string][] {
  return parameters.flatMap(({ type }) => {
    const input = getNamedType(type);
    return isInputObjectType(input)
      ? Object.keys(input.getFields()).map((name): [string, string] => [name, columnOf(name)])
      : [];
  });
}

/** A value of an argument as REST writes it. */
function valueOf(endpoint: Endpoint, argument: string, value: string): string {
  const type = askedOf(endpoint).args.find(({ name }) => name === argument)?.type;
  const named = type && getNamedType(type);
  return isEnumType(named) ? String(named.getValue(value)?.value ?? value) : value;
}
