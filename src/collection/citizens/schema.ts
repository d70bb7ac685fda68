import type { CitizenKind } from '../../generated/prisma/enums.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { defineEnum } from '../../graphql/enums.ts';
import { connection, defineConnection } from '../../graphql/graph/connection.ts';
import { followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import {
  agencyCode,
  docname,
  docnameArg,
  freeText,
  nin,
  ownDocname,
  phone,
  PHONE_COUNTRY,
  requiredText,
} from '../../graphql/input/forms.ts';
import { type Language, LanguageEnum } from '../../graphql/input/languages.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { addAnomalySubject } from '../anomalies/subject.ts';
import { registerAtCounter } from './at-counter.ts';
import { confirmCitizen } from './confirm.ts';
import { TaxpayerType } from '../agencies/schema.ts';
import { createCitizen } from './create.ts';
import { citizenLoader, consentLoader, foundLoader, getCitizen, listCitizens } from './find.ts';
import { createOrganisation, findOrganisation } from './organisations.ts';
import { type CitizenLookup, type FoundCitizen, lookUpCitizen } from './lookup.ts';
import { type Registration, registerCitizen, registrationOf } from './register.ts';
import { listReasons } from '../../kernel/reasons.ts';
import { LONGEST_NAME } from '../../kernel/text/free-text.ts';

const CitizenKindEnum = defineEnum<CitizenKind>('CitizenKind', 'A person or an organisation.', {
  person: 'A person, identified by the national identification number (NIN).',
  organisation: 'An organisation, identified by its taxpayer identification number (TIN).',
});

export const CitizenType = builder.prismaObject('Citizen', {
  description:
    'A citizen in the local registry, identified by the national identification number (NIN), or an organisation.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('citizen')),
    kind: t.expose('kind', { type: CitizenKindEnum, description: 'A person, or an organisation.' }),
    nin: t.exposeString('nin', {
      description: 'National identification number, in upper case; of an organisation its TIN.',
      ...nin,
    }),
    fullName: t.exposeString('fullName', {
      description: 'Full name, as the authority has it, or as it was entered.',
    }),
    phone: t.exposeString('phone', { nullable: true, description: 'Phone number in E.164 form.' }),
    language: t.field({
      type: LanguageEnum,
      nullable: true,
      description: 'The language in which they are notified of their payments; null for that of the country.',
      resolve: ({ language }) => language as Language | null,
    }),
    textsStoppedAt: t.expose('textsStoppedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which they asked for no more texts; null if they get texts.',
    }),
    verified: t.exposeBoolean('verified', {
      description:
        "True if the identity authority confirmed the person's details, or the tax authority those of the organisation.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the record was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time at which it last changed.' }),
  }),
});

defineNode({
  typename: 'Citizen',
  needs: ['citizens.read'],
  matches: (id) => isDocname('citizen', id),
  loader: citizenLoader,
});

addAnomalySubject(CitizenType);

const CitizenConnection = defineConnection('Citizen', CitizenType, 'citizens');

const LookupSource = builder.enumType('CitizenLookupSource', {
  description: 'Source in which a person was found.',
  values: {
    local: { description: 'In the local registry.' },
    nira: { description: 'At the national identity authority.' },
    not_found: { description: 'Neither in the registry nor at the authority.' },
  } as const,
});

const FoundCitizenType = builder.objectRef<FoundCitizen>('FoundCitizen').implement({
  description: 'A person found by their NIN.',
  fields: (t) => ({
    citizenId: t.exposeID('name', {
      nullable: true,
      description: 'The docname of the citizen; null if there is no local record.',
      ...docname('citizen'),
    }),
    citizen: t.field({
      type: 'Citizen',
      nullable: true,
      description: 'The local record of the person; null if there is none.',
      resolve: ({ name }, _args, call, info) => followIfAny(call, info, foundLoader, name),
    }),
    nin: t.exposeString('nin', { description: 'National identification number, in upper case.', ...nin }),
    fullName: t.exposeString('fullName', {
      description: 'Full name, as the identity authority has it, or as it was entered.',
    }),
    phone: t.exposeString('phone', { nullable: true, description: 'Phone number in E.164 form.' }),
    verified: t.exposeBoolean('verified', {
      description: "True if the identity authority confirmed the person's details.",
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of creation; null if there is no local record.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last change; null if there is no local record.',
    }),
  }),
});

const CitizenLookupType = builder.objectRef<CitizenLookup>('CitizenLookup').implement({
  description: 'The result of looking up a NIN.',
  fields: (t) => ({
    source: t.expose('source', { type: LookupSource, description: 'Source in which the person was found.' }),
    stub: t.exposeBoolean('stub', { description: "True if the authority's response is simulated." }),
    citizen: t.expose('citizen', {
      type: FoundCitizenType,
      nullable: true,
      description: 'The person; null if not found.',
    }),
  }),
});

const RegistrationType = builder.objectRef<Registration>('CitizenRegistration').implement({
  description: 'The result of a registration.',
  fields: (t) => ({
    citizen: t.expose('citizen', {
      type: 'Citizen',
      description: 'The citizen, found or registered.',
    }),
    created: t.exposeBoolean('created', { description: 'True if this request created the record.' }),
    source: t.expose('source', {
      type: LookupSource,
      description:
        '`nira` if the identity authority was asked and the record was created or verified by its answer, otherwise `local`.',
    }),
    consentEventId: t.exposeID('consentEvent', {
      nullable: true,
      description: 'The docname of the consent event; null if nothing was taken over from the authority.',
      ...docname('consent'),
    }),
    consentEvent: t.field({
      type: 'ConsentEvent',
      nullable: true,
      description: 'The consent event; null if nothing was taken over from the authority. Scope `citizens.read`.',
      ...needs('citizens.read'),
      resolve: ({ consentEvent }, _args, call, info) => followIfAny(call, info, consentLoader, consentEvent),
    }),
  }),
});

builder.objectFields(TaxpayerType, (t) => ({
  organisationId: t.id({
    nullable: true,
    description: 'The docname of the organisation that is registered with this number; null if none is.',
    ...docname('citizen'),
    resolve: ({ tin }, _args, call) => findOrganisation(call, tin),
  }),
  organisation: t.field({
    type: CitizenType,
    nullable: true,
    description: 'The organisation that is registered with this number; null if none is. Scope `citizens.read`.',
    ...needs('citizens.read', { alone: true }),
    resolve: async ({ tin }, _args, call, info) =>
      followIfAny(call, info, foundLoader, await findOrganisation(call, tin)),
  }),
}));

builder.queryFields((t) => ({
  citizens: t.field({
    description:
      'Citizens, newest first. Scope `citizens.read`. On a live rail only staff can list them all: others give `nin`, `phone`, or a `q` of at least 4 characters that at most 50 people match. Each citizen listed counts as a look-up. On a live rail the pricing tier of an account limits them per UTC day; `rate_limited` beyond.' +
      listReasons('citizen_filter_required', 'too_many_matches'),
    ...needs('citizens.read'),
    ...connection(CitizenConnection, {
      most: 200,
      searched: ['q'],
      args: {
        q: t.arg.string({
          description: 'Search by part of the name, NIN or phone number; at least 2 characters, not case-sensitive.',
          ...requiredText(LONGEST_NAME, { minLength: 2 }),
        }),
        nin: t.arg.string({ description: 'Only the citizen with this NIN; not case-sensitive.', ...nin }),
        phone: t.arg.string({ description: 'Filter by phone number.', ...phone }),
      },
    }),
    resolve: (_root, args, call) => listCitizens(call, args, args),
  }),
  citizen: t.field({
    type: 'Citizen',
    description:
      'Returns a citizen. Scope `citizens.read`. `not_found` if it does not exist. Counts as a look-up on a live rail, as in `citizens`.',
    ...needs('citizens.read'),
    args: { id: t.arg.id(docnameArg('citizen')) },
    resolve: (_root, { id }, call) => getCitizen(call, id),
  }),
  citizenLookup: t.field({
    type: CitizenLookupType,
    description:
      'Looks up a NIN in the local registry, then at the national identity authority. Scope `citizens.read`. Counts as a look-up on a live rail, as in `citizens`.',
    ...needs('citizens.read', { outside: true }),
    args: { nin: t.arg.string({ required: true, description: 'The NIN; not case-sensitive.', ...nin }) },
    resolve: (_root, args, call) => lookUpCitizen(call, args),
  }),
}));

const WANTED = 'The language in which to notify them of their payments; without it, that of the country.';

builder.mutationFields((t) => ({
  createCitizen: t.field({
    type: 'Citizen',
    description:
      'Creates an unverified citizen record. Scope `citizens.write`. `validation_failed` if the NIN is already registered.',
    ...needs('citizens.write', { people: 'alone' }),
    args: {
      nin: t.arg.string({ required: true, description: 'NIN: 6 to 20 letters and digits.', ...nin }),
      fullName: t.arg.string({
        required: true,
        description: 'Full name, at most 200 characters.',
        ...requiredText(LONGEST_NAME),
      }),
      phone: t.arg.string({ description: 'Phone number in E.164 form.', ...phone }),
      language: t.arg({ type: LanguageEnum, description: WANTED }),
    },
    resolve: (_root, args, call) => createCitizen(call, args),
    answerAgain: getCitizen,
  }),
  createOrganisation: t.field({
    type: 'Citizen',
    description:
      'Registers an organisation by its TIN, with the name that the tax authority has. If it has none, the organisation is unverified and has the name given. One that is registered is answered, and verified if the authority agrees. For clerks, supervisors and admins; a token of an agency needs the scope `assessments.write`. `not_found` if the authority has no record and no name is given. `validation_failed` if the number is that of a person.',
    ...needs('organisations', { people: 'alone', outside: true, missing: true }),
    args: {
      tin: t.arg.string({
        required: true,
        description: 'The TIN: 6 to 20 letters and digits, not case-sensitive.',
        ...nin,
      }),
      name: t.arg.string({
        description: 'The name, if the authority has no record of the organisation.',
        ...freeText(LONGEST_NAME),
      }),
      phone: t.arg.string({
        description: 'Phone number in E.164 form. It is kept unless the organisation has one already.',
        ...phone,
      }),
      phoneCountry: t.arg.string(PHONE_COUNTRY),
    },
    resolve: (_root, args, call) => createOrganisation(call, args),
    answerAgain: getCitizen,
  }),
  registerAtCounter: t.field({
    type: RegistrationType,
    description:
      'Registers a citizen at a counter with the details held by the identity authority. If it has none, the citizen is unverified and has the details given. A record that is unverified is verified if the authority agrees, as by `confirmCitizen`. For clerks, supervisors and admins. `not_found` if the authority has no record and no name is given.',
    ...needs('counter', { people: 'alone', outside: true, missing: true }),
    args: {
      nin: t.arg.string({
        required: true,
        description: 'The NIN: 6 to 20 letters and digits, not case-sensitive.',
        ...nin,
      }),
      fullName: t.arg.string({
        description: 'Full name, if the authority has no record of the person.',
        ...freeText(LONGEST_NAME),
      }),
      phone: t.arg.string({
        description: 'Phone number in E.164 form. It is kept unless the person has one already.',
        ...phone,
      }),
      phoneCountry: t.arg.string(PHONE_COUNTRY),
      language: t.arg({ type: LanguageEnum, description: `${WANTED} It replaces the one that is kept.` }),
    },
    resolve: (_root, args, call) => registerAtCounter(call, args),
    answerAgain: registrationOf,
  }),
  confirmCitizen: t.field({
    type: 'Citizen',
    description:
      'Asks the national identity authority about an unverified record, or the tax authority about an organisation. It becomes verified if the authority has the same name for the number. Case, accents, punctuation, spaces and the order of names do not count. Nothing else of the record changes, and one that is verified stays as it is. `not_found` if there is no such record, or the authority does not know the number. For clerks, supervisors and admins.' +
      listReasons('identity_mismatch'),
    ...needs('counter', { people: 'alone', outside: true, missing: true }),
    args: { id: t.arg.id(docnameArg('citizen')) },
    resolve: (_root, { id }, call) => confirmCitizen(call, id),
    answerAgain: getCitizen,
  }),
  registerCitizen: t.field({
    type: RegistrationType,
    description:
      'Returns the citizen with this NIN, importing them from the national identity authority if needed. A record that is unverified is verified if the authority has the same name for the NIN, and otherwise stays as it is. Scope `citizens.write`. `not_found` if the authority does not know the NIN.',
    ...needs('citizens.write', { people: 'alone', outside: true, missing: true }),
    args: {
      nin: t.arg.string({
        required: true,
        description: 'The NIN: 6 to 20 letters and digits, not case-sensitive.',
        ...nin,
      }),
      agency: t.arg.string({ description: 'The code of the agency to which the person gives consent.', ...agencyCode }),
      language: t.arg({ type: LanguageEnum, description: `${WANTED} A citizen who is registered keeps theirs.` }),
    },
    resolve: (_root, args, call) => registerCitizen(call, args),
    answerAgain: registrationOf,
  }),
}));
