import { Refusal } from '../../../kernel/refusal.ts';
import { say } from '../../../kernel/text/said.ts';
import type { Description, Schema } from './description.ts';
import { type Field, fieldsOf } from './fields.ts';
import { type Listed, linkedIn, listOperations } from './operation.ts';
import { showText } from './text.ts';

/** A message to integrators, as its page shows it; texts are HTML. */
interface EventView {
  readonly type: string;
  readonly summary: string;
  readonly about: string;
  readonly headers: readonly { readonly name: string; readonly about: string }[];
  readonly fields: readonly Field[];
  readonly example: string;
  /** The operations after which it is sent. */
  readonly after: readonly Listed[];
}

/** All types of messages, each with what it says. */
export function listEvents({ webhooks }: Description): { readonly type: string; readonly about: string }[] {
  return Object.entries(webhooks).map(([type, { post }]) => ({ type, about: post.summary }));
}

/** A type of message by its name. */
export function viewEvent(description: Description, type: unknown): EventView {
  const { webhooks, components, paths } = description;
  if (typeof type !== 'string' || !Object.hasOwn(webhooks, type))
    throw new Refusal('not_found', say`There is no page at this address`);
  const linked = linkedIn(description);
  const { summary, description: about, parameters, requestBody } = webhooks[type]!.post;
  const { schema } = requestBody.content['application/json']!;
  const message: Schema = components.schemas[schema.$ref!.split('/').at(-1)!]!;
  return {
    type,
    summary,
    about: showText(about, linked),
    headers: parameters.map(({ name, description: meaning }) => ({ name, about: showText(meaning ?? '', linked) })),
    fields: fieldsOf(description, schema, linked),
    example: JSON.stringify(message.examples?.[0], null, 2),
    after: listOperations(description).filter(({ path, method }) =>
      paths[path]![method.toLowerCase()]!['x-events']?.includes(type),
    ),
  };
}
