import { Parser } from '@asyncapi/parser';
import { expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/accounts/events/event-types.ts';
import { testRail } from '../../harness/rail.ts';

const rail = testRail();

it('describes its messages in AsyncAPI as its parser takes it, with nothing to object but its version', async () => {
  const { text } = await rail.ask('/v1/asyncapi.json');
  const { document, diagnostics } = await new Parser().parse(text);
  // Few tools understand 3.1 yet.
  expect(diagnostics.map(({ code }) => code)).toEqual(['asyncapi-latest-version']);
  const sent = document!.operations().filterBySend()[0]!;
  const names = sent
    .messages()
    .all()
    .map((message) => message.name());
  expect(new Set(names)).toEqual(new Set(EVENT_TYPES));
});

it('is refused by it where a message is not described', async () => {
  const { json } = await rail.ask('/v1/asyncapi.json');
  delete json.components.messages['assessment.paid'];
  const { document, diagnostics } = await new Parser().parse(json);
  expect(document).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toContain('invalid-ref');
});
