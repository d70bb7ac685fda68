import { type DocumentNode, type GraphQLSchema, execute, parse, validate } from 'graphql';
import type { Call } from '../../platform/call/call.ts';

/** What pages ask of the schema: the same operations that everyone may. */
const documents = {
  signIn: `mutation SignIn($email: String!) { requestSignIn(email: $email) { message devConsumeUrl } }`,
  acceptInvitation: `mutation AcceptInvitation($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { message } }`,
  completePasswordReset: `mutation CompletePasswordReset($token: String!, $password: String!) { completePasswordReset(token: $token, password: $password) { message } }`,
  consume: `mutation Consume($token: String!) { consumeSignInLink(token: $token) { location } }`,
  beginSignOn: `mutation BeginSignOn($returnTo: String) { beginSingleSignOn(returnTo: $returnTo) { location } }`,
  completeSignOn: `mutation CompleteSignOn($attempt: String!, $query: String!) { completeSingleSignOn(attempt: $attempt, query: $query) { location } }`,
  anomalies: `query Anomalies { anomalyRules { kind severity title meaning whatToDo thresholds } }`,
  notices: `query Notices { notices(inEffect: true, first: 5) { nodes { id title body severity } } }`,
  terms: `query Terms { terms { version summary } }`,
} as const;

export type OperationName = keyof typeof documents;

/** Runs one of the operations for a caller; what it refuses or fails with is thrown. */
export type Run = (
  name: OperationName,
  call: Call,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

/** Parses and checks the operations once; one that does not fit the schema stops the start. */
export function prepareOperations(schema: GraphQLSchema): Run {
  const parsed = Object.fromEntries(
    Object.entries(documents).map(([name, text]) => {
      const document = parse(text);
      const [mistake] = validate(schema, document);
      if (mistake) throw new Error(`pages: ${name}: ${mistake.message}`);
      return [name, document];
    }),
  ) as Record<OperationName, DocumentNode>;
  return async (name, call, variables = {}) => {
    const { data, errors } = await execute({
      schema,
      document: parsed[name],
      contextValue: call,
      variableValues: variables,
    });
    if (errors?.[0]) throw errors[0];
    return data!;
  };
}
