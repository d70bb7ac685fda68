import { builder, needs } from '../../graphql/builder.ts';
import { agencyCode, docname, freeText, nin, phone, someText } from '../../graphql/input/forms.ts';
import { pageArgs } from '../../graphql/paging.ts';
import { registerAtCounter } from './at-counter.ts';
import { createCitizen } from './create.ts';
import { getCitizen, listCitizens } from './find.ts';
import { type CitizenLookup, type FoundCitizen, lookUpCitizen } from './lookup.ts';
import { type Registration, registerCitizen, registrationOf } from './register.ts';
import { LONGEST_NAME } from '../../kernel/text.ts';

builder.prismaObject('Citizen', {
  description: 'A local registry entry, linked to the national identity authority by its NIN.',
  fields: (t) => ({
    name: t.exposeID('name', { description: 'Its docname, `CITIZEN-<yyyy>-<6 digits>`.', ...docname('citizen') }),
    nin: t.exposeString('nin', { description: 'National identification number, in upper case.', ...nin }),
    fullName: t.exposeString('fullName', { description: 'Full name.' }),
    phone: t.exposeString('phone', { nullable: true, description: 'Phone number in E.164 form.' }),
    verified: t.exposeBoolean('verified', { description: 'Whether the identity authority has confirmed this person.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was entered.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

const LookupSource = builder.enumType('CitizenLookupSource', {
  description: 'Where a person was found.',
  values: {
    local: { description: 'In the local registry.' },
    nira: { description: 'At the national identity authority.' },
    not_found: { description: 'Nowhere.' },
  } as const,
});

const FoundCitizenType = builder.objectRef<FoundCitizen>('FoundCitizen').implement({
  description: 'A person found by NIN.',
  fields: (t) => ({
    name: t.exposeID('name', { nullable: true, description: 'Docname; null for someone whom only the authority knows, since nothing was stored.' }),
    nin: t.exposeString('nin', { description: 'National identification number, in upper case.', ...nin }),
    fullName: t.exposeString('fullName', { description: 'Full name.' }),
    phone: t.exposeString('phone', { nullable: true, description: 'Phone number in E.164 form.' }),
    verified: t.exposeBoolean('verified', { description: 'Whether the identity authority has confirmed this person.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: true, description: 'When it was entered; null where nothing was stored.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: true, description: 'When it was last changed; null where nothing was stored.' }),
  }),
});

const CitizenLookupType = builder.objectRef<CitizenLookup>('CitizenLookup').implement({
  description: 'What is known of a NIN.',
  fields: (t) => ({
    source: t.expose('source', { type: LookupSource, description: 'Where the person was found.' }),
    stub: t.exposeBoolean('stub', { description: 'True while answers of the authority are made up.' }),
    citizen: t.expose('citizen', { type: FoundCitizenType, nullable: true, description: 'The person; null where not found.' }),
  }),
});

const RegistrationType = builder.objectRef<Registration>('CitizenRegistration').implement({
  description: 'The outcome of a registration.',
  fields: (t) => ({
    citizen: t.prismaField({ type: 'Citizen', description: 'The citizen, found or registered.', resolve: (_query, { citizen }) => citizen }),
    created: t.exposeBoolean('created', { description: 'Whether this request registered them.' }),
    source: t.expose('source', { type: LookupSource, description: '`local` for a record that was already there, else `nira`.' }),
    consentEvent: t.exposeID('consentEvent', {
      nullable: true,
      description: 'The event of their consent, `CONSENT-<yyyy>-<6 digits>`; null for a record that was already there.',
      ...docname('consent'),
    }),
  }),
});

builder.queryFields((t) => ({
  citizens: t.prismaField({
    type: ['Citizen'],
    description: 'Citizens, newest first. Scope `citizens.read`.',
    ...needs('citizens.read'),
    args: {
      q: t.arg.string({
        description: 'Only those with this text in their name, NIN or phone; at least 2 characters, case is ignored.',
        ...someText(LONGEST_NAME, { minLength: 2 }),
      }),
      nin: t.arg.string({ description: 'Only the one with this NIN.', ...nin }),
      phone: t.arg.string({ description: 'Only those with this phone number.', ...phone }),
      ...pageArgs(50, 200),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit }),
    resolve: (_query, _root, args, call) => listCitizens(call, args, args),
  }),
  citizen: t.prismaField({
    type: 'Citizen',
    description: 'One citizen. Scope `citizens.read`. `not_found` where there is none.',
    ...needs('citizens.read'),
    args: { name: t.arg.id({ required: true, description: 'Its docname.', ...docname('citizen') }) },
    resolve: (_query, _root, { name }, call) => getCitizen(call, name),
  }),
  citizenLookup: t.field({
    type: CitizenLookupType,
    description: 'Looks a NIN up in the local registry, then at the national identity authority. Scope `citizens.read`.',
    ...needs('citizens.read', { outside: true }),
    args: { nin: t.arg.string({ required: true, description: 'The NIN; case is ignored.', ...nin }) },
    resolve: (_root, args, call) => lookUpCitizen(call, args),
  }),
}));

builder.mutationFields((t) => ({
  createCitizen: t.prismaField({
    type: 'Citizen',
    description: 'Enters a citizen by hand, unverified. Scope `citizens.write`. `validation_failed` where the NIN is registered.',
    ...needs('citizens.write'),
    args: {
      nin: t.arg.string({ required: true, description: 'NIN: 6 to 20 letters and digits.', ...nin }),
      fullName: t.arg.string({ required: true, description: 'Full name, at most 200 characters.', ...someText(LONGEST_NAME) }),
      phone: t.arg.string({ description: 'Phone number in E.164 form.', ...phone }),
    },
    resolve: (_query, _root, args, call) => createCitizen(call, args),
    answerAgain: getCitizen,
  }),
  registerAtCounter: t.field({
    type: RegistrationType,
    description:
      'Registers whoever stands at a counter: as the identity authority knows them, or by hand, unverified, where it knows nothing. For clerks, supervisors and admins. `not_found` where it knows nothing and no name is given.',
    ...needs('counter', { outside: true, missing: true }),
    args: {
      nin: t.arg.string({ required: true, description: 'The NIN.', ...nin }),
      fullName: t.arg.string({ description: 'Full name, for whom the authority does not know.', ...freeText(LONGEST_NAME) }),
      phone: t.arg.string({ description: 'Phone number in E.164 form, for whom the authority does not know.', ...phone }),
    },
    resolve: (_root, args, call) => registerAtCounter(call, args),
    answerAgain: registrationOf,
  }),
  registerCitizen: t.field({
    type: RegistrationType,
    description:
      'Finds the citizen with a NIN, or takes them over from the national identity authority. Scope `citizens.write`. `not_found` where the authority knows no such NIN.',
    ...needs('citizens.write', { outside: true, missing: true }),
    args: {
      nin: t.arg.string({ required: true, description: 'The NIN.', ...nin }),
      mda: t.arg.string({ description: 'The agency for which the person consents.', ...agencyCode }),
    },
    resolve: (_root, args, call) => registerCitizen(call, args),
    answerAgain: registrationOf,
  }),
}));
