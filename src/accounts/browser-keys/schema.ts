import { builder, needs } from '../../graphql/builder.ts';
import { agencyList, between, integratorCode, requiredText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_LABEL } from '../../kernel/text/free-text.ts';
import { issueAgain } from '../keys/issue.ts';
import { ApiKeyIssueType } from '../keys/schema.ts';
import { issueBrowserKey, issueBrowserKeyAsOperator } from './issue.ts';
import { MOST_ORIGINS } from './origins.ts';

const MOST_DAYS = 90;

/** Arguments for a browser key. */
const browserKeyArgs = builder.args((t) => ({
  label: t.string({
    required: true,
    description: 'A label that says what the key is used for, at most 100 characters.',
    ...requiredText(LONGEST_LABEL),
  }),
  origins: t.field({
    type: ['String'],
    required: true,
    description:
      'The origins whose pages may use the key, 1 to 10, such as `https://dashboard.example.org`: without a path or a wildcard. In a sandbox, `http://localhost:<port>` too.',
    ...shape({ maxItems: MOST_ORIGINS, items: { examples: ['https://dashboard.example.org'] } }),
  }),
  operations: t.stringList({
    description: 'The named operations that the key may run, and nothing else. Default: any query of `oversight`.',
    ...shape({ maxItems: 50, items: { examples: ['revenue-by-month'] } }),
  }),
  agencies: t.stringList({
    description:
      'The codes of the agencies whose figures the key may read: `figures` alone, and over GraphQL alone. Default: all.',
    ...agencyList,
  }),
  days: t.int({
    required: true,
    defaultValue: MOST_DAYS,
    description: 'After how many days the key ends, 1 to 90.',
    ...between(1, MOST_DAYS),
  }),
}));

const WHAT =
  'A browser key holds the scope `oversight.read` alone, and works only in a page of one of its origins, at `/graphql` and `GET /v1/oversight/…`. Anybody who opens that page can read it. It ends after at most 90 days, and cannot be rotated.';

builder.mutationFields((t) => ({
  issueBrowserKey: t.field({
    type: ApiKeyIssueType,
    description: `Issues a key that may stand in a browser. ${WHAT} Requires a key that manages the account and holds \`oversight.read\`; or a session, if the account has that scope.${listReasons('too_many_keys')}`,
    ...needs('account.manage'),
    args: browserKeyArgs,
    resolve: (_root, args, call) => issueBrowserKey(call, args),
    answerAgain: issueAgain,
  }),
  operatorIssueBrowserKey: t.field({
    type: ApiKeyIssueType,
    description: `Issues a key that may stand in a browser to an Active integrator. ${WHAT} Requires one of the roles \`admin\` and \`system_manager\`.${listReasons('too_many_keys')}`,
    ...needs('operations.write', { people: 'alone', missing: true }),
    args: {
      integrator: t.arg.id({
        required: true,
        description: 'The `integrator_id`: the code of the account.',
        ...integratorCode,
      }),
      ...browserKeyArgs,
    },
    resolve: (_root, args, call) => issueBrowserKeyAsOperator(call, args),
    answerAgain: issueAgain,
  }),
}));
