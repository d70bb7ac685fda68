import { builder, needs } from '../../graphql/builder.ts';
import { connection } from '../../graphql/graph/connection.ts';
import { agencyCode, countryCode, freeText, requiredText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_LABEL, LONGEST_NAME } from '../../kernel/text/free-text.ts';
import { amendAgency } from '../../collection/catalogue/agencies/amend.ts';
import { createAgency } from '../../collection/catalogue/agencies/create.ts';
import { listManagedAgencies } from '../../collection/catalogue/agencies/find.ts';
import { getAgency } from '../../collection/catalogue/find.ts';
import {
  InteractionModeEnum,
  AgencyConnection,
  AgencyStatusEnum,
  AgencyType,
} from '../../collection/catalogue/schema.ts';
import { readers, writers } from '../audience.ts';
import { revisionArgs, whyArgs } from './arguments.ts';

const places = builder.args((t) => ({
  region: t.string({ description: 'The region of the country where it is.', ...freeText(LONGEST_LABEL) }),
  district: t.string({ description: 'The district where it is.', ...freeText(LONGEST_LABEL) }),
}));

builder.queryFields((t) => ({
  managedAgencies: t.field({
    description: `Agencies in any status, by code. ${readers}`,
    ...needs('operations.read'),
    ...connection(AgencyConnection, {
      most: 500,
      args: {
        status: t.arg({ type: AgencyStatusEnum, description: 'Only those in this status. Default: in any.' }),
        country: t.arg.string({ description: 'Filter by country code.', ...countryCode }),
      },
    }),
    resolve: (_root, args, call) => listManagedAgencies(call, args, args),
  }),
}));

builder.mutationFields((t) => ({
  createAgency: t.field({
    type: AgencyType,
    description: `Adds an agency to a country whose profile was loaded. It is in \`Sandbox\` until it has an account and is set \`Active\`. ${writers}${listReasons('code_taken')}`,
    ...needs('operations.write', { people: 'alone' }),
    args: {
      code: t.arg.id({ required: true, description: 'Its short code, such as `URA`, which stays.', ...agencyCode }),
      name: t.arg.string({
        required: true,
        description: 'The full name, at most 200 characters.',
        ...requiredText(LONGEST_NAME),
      }),
      interactionMode: t.arg({ type: InteractionModeEnum, required: true, description: 'Its way of using the rail.' }),
      country: t.arg.string({ required: true, description: 'The code of its country profile.', ...countryCode }),
      type: t.arg.string({
        required: true,
        description: 'The type of agency, such as `tax_authority`.',
        ...requiredText(LONGEST_LABEL),
      }),
      ...places,
      ...whyArgs,
    },
    resolve: (_root, args, call) => createAgency(call, args),
    answerAgain: getAgency,
  }),
  amendAgency: t.field({
    type: AgencyType,
    description: `Changes an agency; what is left out stays. On a live rail more cash than before waits for somebody independent of the caller to approve it (\`grantApproval\`). One that is closed (\`Inactive\`) keeps its services, which cannot be assessed until it is \`Active\` again. ${writers}${listReasons('revision_stale', 'account_missing', 'shifts_open')}`,
    // One that is Active again collects what it did before, into an account that two people set: that takes one.
    ...needs('operations.write', { people: 'two where it widens', missing: true }),
    args: {
      id: t.arg.id({ required: true, description: "The agency's short code, such as `URA`.", ...agencyCode }),
      ...revisionArgs,
      name: t.arg.string({ description: 'The full name, at most 200 characters.', ...requiredText(LONGEST_NAME) }),
      interactionMode: t.arg({ type: InteractionModeEnum, description: 'Its way of using the rail.' }),
      type: t.arg.string({
        description: 'The type of agency, such as `tax_authority`.',
        ...requiredText(LONGEST_LABEL),
      }),
      status: t.arg({
        type: AgencyStatusEnum,
        description: 'State of the agency. It is closed once no shift is Open.',
      }),
      ...places,
      cashLimit: t.arg({
        type: 'Decimal',
        description:
          'The most cash of one payment with a line of the agency, in the currency of its country; 0: none. Null: what its country profile has.',
        ...shape({ minimum: 0 }),
      }),
      shiftCashLimit: t.arg({
        type: 'Decimal',
        description:
          'The most cash that one shift at the agency collects, in the currency of its country. Null: what its country profile has.',
        ...shape({ minimum: 0 }),
      }),
      ...whyArgs,
    },
    resolve: (_root, args, call) => amendAgency(call, args),
    answerAgain: getAgency,
  }),
}));
