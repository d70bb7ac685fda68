import { builder } from '../../graphql/builder.ts';
import { between, freeText } from '../../graphql/input/forms.ts';
import { LONGEST_REASON } from '../../kernel/text/free-text.ts';

/** Arguments of every change of the catalogue. */
export const whyArgs = builder.args((t) => ({
  reason: t.string({ description: 'The reason, at most 280 characters.', ...freeText(LONGEST_REASON) }),
}));

export const revisionArgs = builder.args((t) => ({
  revision: t.int({
    description: 'The `revision` that was read: the change is refused if there is another by now. Default: any.',
    ...between(1, 2_147_483_647),
  }),
}));
