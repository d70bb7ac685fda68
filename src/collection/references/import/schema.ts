import { builder, needs } from '../../../graphql/builder.ts';
import { defineEnum } from '../../../graphql/enums.ts';
import { followIfAny } from '../../../graphql/graph/edge.ts';
import { agencyCode, currencyCode, docname } from '../../../graphql/input/forms.ts';
import type { Detail } from '../../../kernel/refusal.ts';
import { Said } from '../../../kernel/text/said.ts';
import { assessmentLoader } from '../../assessments/find.ts';
import { LINE_REASONS } from '../../assessments/schema.ts';
import { referenceLoader } from '../find.ts';
import { type ImportedRow, importAssessments } from './import.ts';
import { COLUMNS, LONGEST_KEY, MOST_ROWS } from './rows.ts';

const OutcomeEnum = defineEnum<ImportedRow['outcome']>('ImportOutcome', 'The result of importing a row of a file.', {
  created: 'An assessment was made; of a dry run, it would be.',
  already: 'Its key stands for an assessment with the same content.',
  refused: 'Nothing was made; `reason` and `message` say why.',
});

/** The column of a file that a mistake is in: `base_amount` of `row.baseAmount`. */
const columnOf = ({ path }: Detail) =>
  path.slice(path.lastIndexOf('.') + 1).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const saidOf = ({ message }: Detail) => (message instanceof Said ? message : new Said(message, []));

/** Reason where the mistake has none of its own: the value of a column is wrong. */
const WRONG = 'validation_failed';

const RowType = builder.objectRef<ImportedRow>('ImportedRow').implement({
  description: 'The result of importing a row of a file of assessments.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'Its line in the file, starting at 1.' }),
    key: t.exposeString('key', { nullable: true, description: 'Its key; null if it has none that can be read.' }),
    outcome: t.expose('outcome', { type: OutcomeEnum, description: 'The result of importing it.' }),
    assessmentId: t.exposeID('assessment', {
      nullable: true,
      description: 'The docname of the assessment that its key stands for; null if there is none.',
      ...docname('assessment'),
    }),
    totalAmount: t.expose('totalAmount', {
      type: 'Decimal',
      nullable: true,
      description: 'The total of the assessment; null of a refused row.',
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'The currency of the total (ISO 4217); null of a refused row.',
      ...currencyCode,
    }),
    referenceId: t.exposeID('reference', {
      nullable: true,
      description: 'The payment reference, by which it can be paid; null if none was asked for or nothing is to pay.',
    }),
    column: t.string({
      nullable: true,
      description: 'The column of a refused row whose value is wrong.',
      resolve: ({ mistake }) => mistake && columnOf(mistake),
    }),
    reason: t.string({
      nullable: true,
      description: `The reason of a refused row, for programs: \`key_taken\`, \`key_repeated\`, ${LINE_REASONS.map((reason) => `\`${reason}\``).join(', ')}, or else \`${WRONG}\`.`,
      resolve: ({ mistake }) => mistake && (mistake.code ?? WRONG),
    }),
    message: t.string({
      nullable: true,
      description: 'The mistake of a refused row, for people.',
      resolve: ({ mistake }) => mistake && `${columnOf(mistake)}: ${String(mistake.message)}`,
    }),
    messageForm: t.string({
      nullable: true,
      description:
        'The message without its column and with numbered placeholders, such as `stands for {0}`, by which it can be translated. `messageValues` fills them in.',
      resolve: ({ mistake }) => mistake && saidOf(mistake).form,
    }),
    messageValues: t.stringList({
      nullable: true,
      description: 'Values for the placeholders of `messageForm`, in the order of their numbers.',
      resolve: ({ mistake }) => mistake && saidOf(mistake).values,
    }),
  }),
});

builder.objectFields(RowType, (t) => ({
  assessment: t.field({
    type: 'Assessment',
    nullable: true,
    description: 'The assessment. Scope `assessments.read`.',
    ...needs('assessments.read', { alone: true }),
    resolve: ({ assessment }, _args, call, info) => followIfAny(call, info, assessmentLoader, assessment),
  }),
  reference: t.field({
    type: 'PaymentReference',
    nullable: true,
    description: 'The payment reference. Scope `payments.read`.',
    ...needs('payments.read', { alone: true }),
    resolve: ({ reference }, _args, call, info) => followIfAny(call, info, referenceLoader, reference),
  }),
}));

builder.mutationField('importAssessments', (t) =>
  t.field({
    type: [RowType],
    description: `Makes an agency's assessments from the rows of a CSV file, Assessed at once, each with one line. The agency's key of a row makes one assessment for ever: send a file again that broke off. The rows are answered in order. Scope \`assessments.import\`. \`validation_failed\` if the file cannot be read; it registers nobody.`,
    ...needs('assessments.import', { people: 'alone' }),
    args: {
      agency: t.arg.id({ required: true, description: 'The code of the agency.', ...agencyCode }),
      body: t.arg({
        type: 'Byte',
        required: true,
        description: `A CSV file in UTF-8 of at most 16 MiB and ${MOST_ROWS.toLocaleString('en')} rows with a header: \`${COLUMNS.join('`, `')}\`. The first two are required, and one of the next two: a NIN or TIN, or a docname. A \`key\` has at most ${LONGEST_KEY} characters.`,
      }),
      dryRun: t.arg.boolean({
        defaultValue: false,
        description: 'If true, nothing is written, and the answer is what would be, without docnames and references.',
      }),
    },
    resolve: (_root, { agency, body, dryRun }, call) =>
      importAssessments(call, { agency, body, dryRun: dryRun ?? false }),
  }),
);
