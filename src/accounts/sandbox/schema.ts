import { builder, needs } from '../../graphql/builder.ts';
import { between } from '../../graphql/input/forms.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { type Advance, LONGEST_SECONDS, advanceClock } from './clock.ts';

const AdvanceType = builder.objectRef<Advance>('ClockAdvance').implement({
  description: "Result of moving a sandbox account's clock: the time passed, and the number of objects affected.",
  fields: (t) => ({
    seconds: t.exposeInt('seconds', { description: 'By how many seconds what waits comes sooner.' }),
    paymentIntents: t.exposeInt('intents', { description: 'The number of open payment intents that expire sooner.' }),
    notices: t.exposeInt('notices', { description: 'The number of notices to agencies that are sent sooner.' }),
    deliveries: t.exposeInt('deliveries', { description: 'The number of webhook messages that are sent sooner.' }),
    keys: t.exposeInt('keys', { description: 'The number of rolling keys that end sooner.' }),
  }),
});

builder.mutationFields((t) => ({
  advanceClock: t.field({
    type: AdvanceType,
    description:
      'Lets time pass for your account in a sandbox: what expires, is due or is tried again does so sooner. Nothing of other accounts moves. Give `seconds` or `to`. Requires a session or a key. `not_found` on a live rail.' +
      listReasons('sandbox_only'),
    ...needs('account', { missing: true }),
    args: {
      seconds: t.arg.int({
        description: 'Number of seconds that pass: from 1 up to 10 years.',
        ...between(1, LONGEST_SECONDS),
      }),
      to: t.arg({ type: 'DateTime', description: 'The time to pass to: in the future, and within 10 years.' }),
    },
    resolve: (_root, args, call) => advanceClock(call, args),
  }),
}));
