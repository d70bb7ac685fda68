import { builder, needs } from '../../../graphql/builder.ts';
import { agencyCode, freeText, senderName } from '../../../graphql/input/forms.ts';
import { shape } from '../../../graphql/input/shapes.ts';
import { exampleDocnameOf } from '../../../platform/database/docnames.ts';
import { LONGEST_REASON } from '../../../kernel/text/free-text.ts';
import { listReasons } from '../../../kernel/reasons.ts';
import { LONGEST_SPAN } from '../payouts/read.ts';
import { classifyLine, releaseLine } from './decide.ts';
import { getBankLine } from './find.ts';
import { BankLineKindEnum, LineType } from './schema.ts';

const lineArgs = builder.args((t) => ({
  agency: t.id({ required: true, description: 'The code of an agency that has the account.', ...agencyCode }),
  id: t.id({
    required: true,
    description: "The line's name: the docname of its statement, a dot and a number.",
    ...shape({ examples: [`${exampleDocnameOf('bankStatement')}.1`] }),
  }),
}));

builder.mutationFields((t) => ({
  classifyBankLine: t.field({
    type: LineType,
    description: `Says what a line of a bank statement is. Scope \`books.write\`. \`not_found\`. ${listReasons('line_decided')}`,
    ...needs('books.write', { people: 'alone' }),
    args: {
      ...lineArgs,
      kind: t.arg({ type: BankLineKindEnum, required: true, description: 'The kind of line; not `unknown`.' }),
      provider: t.arg.id({ description: 'The provider. Required for a `payout`.', ...senderName }),
      fromDate: t.arg({
        type: 'Date',
        description: 'The first day of the payments that it pays out. Required for a `payout`.',
      }),
      toDate: t.arg({
        type: 'Date',
        description: `The last of these days, at most ${LONGEST_SPAN} with the first, and not after the value day. Required for a \`payout\`.`,
      }),
      note: t.arg.string({
        description: 'The reason for the decision. Required for `other`.',
        ...freeText(LONGEST_REASON),
      }),
    },
    resolve: (_root, args, call) => classifyLine(call, args),
    answerAgain: getBankLine,
  }),
  releaseBankLine: t.field({
    type: LineType,
    description: `Makes a line of a bank statement unknown again, until a person says what it is. On a live rail somebody else releases what a person decided. Scope \`books.write\`. \`not_found\`. ${listReasons('line_decided', 'not_independent')}`,
    ...needs('books.write', { people: 'alone' }),
    args: {
      ...lineArgs,
      note: t.arg.string({ required: true, description: 'The reason for the release.', ...freeText(LONGEST_REASON) }),
    },
    resolve: (_root, args, call) => releaseLine(call, args),
    answerAgain: getBankLine,
  }),
}));
