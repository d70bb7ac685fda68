import type { GraphQLSchema } from 'graphql';
import type { Call } from '../../platform/call/call.ts';
import { commit } from '../../platform/change/commit.ts';
import { guard } from '../../platform/change/step.ts';
import { sql } from '../../platform/database/sql.ts';
import { type RegisteredOperation, findRegistered } from '../../graphql/operations/registered.ts';
import { checkDocument } from '../../graphql/endpoint/check.ts';
import { namedOperations } from '../../graphql/operations/named.ts';
import { refuseValue } from '../../kernel/refusal.ts';
import { requireText } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';

/** Most operations that somebody may register, and most versions of each. */
export const MOST_OPERATIONS = 50;
export const MOST_VERSIONS = 50;

export const NAME = /^[a-z][a-z0-9-]{2,63}$/;
export const LONGEST_DOCUMENT = 16_000;
export const LONGEST_DESCRIPTION = 280;

const STAFF = 'staff';

interface Registering {
  readonly name: string;
  readonly document: string;
  readonly description: string;
}

/** Registers an operation under a name, or the next version of one that is its owner's already. */
export async function registerOperation(
  call: Call,
  schema: GraphQLSchema,
  { name, ...asked }: Registering,
): Promise<RegisteredOperation> {
  if (!NAME.test(name))
    throw refuseValue('name', say`must be 3 to 64 small letters, digits and hyphens, of which the first is a letter`);
  const document = requireText('document', asked.document, LONGEST_DOCUMENT);
  const description = requireText('description', asked.description, LONGEST_DESCRIPTION);
  if (namedOperations.has(name)) throw refuseValue('name', say`is that of an operation of the rail`);
  checkDocument(schema, document, call);
  const owner = call.viewer.integrator ?? STAFF;
  const latest = await findRegistered(call.db, name);
  if (latest && latest.owner !== owner) throw refuseValue('name', say`belongs to somebody else`);
  const version = (latest?.version ?? 0) + 1;
  const at = call.now();
  const registered = guard`
    insert into registered_operation (name, version, owner, document, description, created_at)
    select ${name}, ${version}, ${owner}, ${document}, ${description}, ${at}
    where ${version} <= ${MOST_VERSIONS} and (${version} > 1 or ${countOf(owner)} < ${MOST_OPERATIONS})
    -- A version that is taken is refused.
    on conflict do nothing returning name`;
  const subject = `${name}@${version}`;
  const operated = { action: 'operation.register', subject, before: null, after: { description }, reason: null };
  const change = { subject, guard: registered, ...(owner === STAFF && { operated }) };
  if (!(await commit(call, change)))
    throw refuseValue(
      'name',
      say`has its ${MOST_VERSIONS} versions, or is one of too many, or was registered just now`,
    );
  return { name, version, owner, document, description, createdAt: at };
}

const countOf = (owner: string) =>
  sql`(select count(distinct o.name) from registered_operation o where o.owner = ${owner})`;

/** The version that a registration made whose process died before it could answer. */
export async function registrationOf(call: Call, subject: string): Promise<RegisteredOperation> {
  return (await findRegistered(call.db, subject))!;
}
