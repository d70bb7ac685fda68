import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { docname, freeText } from '../../graphql/input/forms.ts';
import { shape } from '../../graphql/input/shapes.ts';
import { loggedLoader } from '../../collection/citizens/find.ts';
import { ACCESS_PURPOSES, type AccessPurpose } from '../../platform/audit/citizen-access.ts';
import { LONGEST_ADDRESS } from '../../kernel/text/email.ts';
import { type AccessEntry, ENTRY_NAME, accessLoader, listAccesses } from './find.ts';

const PurposeEnum = defineEnum<AccessPurpose>(
  'CitizenAccessPurpose',
  'From where somebody was shown a citizen.',
  ACCESS_PURPOSES,
);

const AccessEntryType = builder.objectRef<AccessEntry>('CitizenAccess').implement({
  description: "Record of one view of a citizen's data.",
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', {
      description: 'The unique identifier: `ACCESS-`, when the record was shown, an underscore and a UUID.',
      ...shape({
        pattern: ENTRY_NAME.source,
        examples: ['ACCESS-2026-11-21T09:25:00.000Z_0f8fad5b-d9cb-469f-a165-70867728950e'],
      }),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Time at which the record was shown.' }),
    citizenId: t.exposeID('citizen', {
      nullable: true,
      description: 'The docname of the citizen; null if the registry does not have the person looked up.',
      ...docname('citizen'),
    }),
    citizen: t.field({
      type: 'Citizen',
      nullable: true,
      description:
        'The citizen; null if the registry does not have the person looked up. Scope `citizens.read`, which the role auditor does not include.',
      ...needs('citizens.read'),
      resolve: ({ citizen }, _args, call, info) => followIfAny(call, info, loggedLoader, citizen),
    }),
    purpose: t.field({
      type: PurposeEnum,
      description: 'From where the record was read.',
      resolve: ({ purpose }) => purpose as AccessPurpose,
    }),
    statedPurpose: t.exposeString('statedPurpose', {
      nullable: true,
      description: "The caller's own words (`X-Purpose`); null if it gave none.",
    }),
    caller: t.exposeString('caller', {
      description: 'The kind of caller: `key`, `session`, `agency`, `staff` or `system`.',
    }),
    actor: t.exposeString('actor', {
      description:
        'The viewer: the code of an account or agency, the e-mail address of a member of staff, or a command.',
    }),
    credential: t.exposeString('credential', {
      nullable: true,
      description: 'The docname of the key or the ID of the session that was presented; null for a command.',
    }),
    requestId: t.exposeString('requestId', { description: 'The ID of the request (`X-Request-Id`).' }),
  }),
});

defineNode({
  typename: 'CitizenAccess',
  needs: ['citizen_access.read'],
  matches: (id) => ENTRY_NAME.test(id),
  loader: accessLoader,
});

const AccessConnection = defineConnection('CitizenAccess', AccessEntryType, 'accesses');

builder.queryFields((t) => ({
  citizenAccess: t.field({
    description: "Views of citizens' data, newest first: one entry for each citizen and time. For auditors.",
    ...needs('citizen_access.read'),
    ...connection(AccessConnection, {
      most: 200,
      searched: ['actor', 'purpose'],
      args: {
        citizen: t.arg.id({ description: 'Filter by citizen (docname).', ...docname('citizen') }),
        actor: t.arg.string({
          description: 'Filter by caller: the code of an account or agency, or an e-mail address.',
          ...freeText(LONGEST_ADDRESS),
        }),
        purpose: t.arg({ type: PurposeEnum, description: 'Only what was read from there. Default: from anywhere.' }),
        fromDate: t.arg({ type: 'Date', description: 'The first UTC day of the span.' }),
        toDate: t.arg({ type: 'Date', description: 'The last UTC day of the span, included.' }),
      },
    }),
    resolve: (_root, args, call) => listAccesses(call, args, args),
  }),
}));
