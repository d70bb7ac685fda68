import type { Operated } from '../../platform/change/operation.ts';
import { builder, needs } from '../../graphql/builder.ts';
import { listReasons } from '../../kernel/reasons.ts';
import type { LoadedProfile } from '../../collection/catalogue/loading/load.ts';
import { loadCatalogue, loadedBefore } from '../../collection/catalogue/loading/operate.ts';
import { writers } from '../audience.ts';

const ChangeType = builder.objectRef<Operated>('CatalogueChange').implement({
  description: 'Change of the catalogue that loading a profile makes.',
  fields: (t) => ({
    action: t.exposeString('action', {
      description:
        'The action, as the audit of operators has it: `agency.create`, `agency.change`, `agency.account_requested`, `service.create`, `service.change`, `country.create` or `country.change`.',
    }),
    subject: t.exposeString('subject', {
      description:
        'Object of the change: the code of the country or agency, or the docname of the service; for one that would be new, its code.',
    }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'Value before; null if it is new.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'Value after the change.' }),
  }),
});

const LoadedType = builder.objectRef<LoadedProfile>('LoadedCatalogue').implement({
  description: 'Changes that loading a country profile made, or would make.',
  fields: (t) => ({
    country: t.exposeString('country', { description: 'The code of the country.' }),
    dryRun: t.exposeBoolean('dryRun', { description: 'True if nothing was changed.' }),
    agencyCount: t.exposeInt('agencies', { description: 'The number of agencies in the profile.' }),
    serviceCount: t.exposeInt('services', { description: 'The number of services in the profile.' }),
    changes: t.field({
      type: [ChangeType],
      description: 'Each change; none where the catalogue is as the profile has it.',
      resolve: ({ changes }) => [...changes],
    }),
  }),
});

builder.mutationFields((t) => ({
  loadCatalogue: t.field({
    type: LoadedType,
    description: `Brings agencies and services in line with a country profile, all of it or nothing. Nothing is removed. Fees hold at once; one that is set for a coming day stays. Accounts that differ are asked for, and an agency without one stays in \`Sandbox\`. On a live rail a profile that changes what takes two people is refused. That is the agency, currency or fee of a service, the country of an agency, or the most cash that a country takes. New services have no fee. ${writers}${listReasons('shifts_open', 'fee_takes_two')}`,
    ...needs('operations.write', { people: 'two where it widens' }),
    args: {
      profile: t.arg({
        type: 'JSON',
        required: true,
        description: 'The country profile, in the form of `prisma/catalogue/*.json`.',
      }),
      dryRun: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'If true, changes are listed and not made.',
      }),
    },
    resolve: (_root, args, call) => loadCatalogue(call, args),
    answerAgain: loadedBefore,
  }),
}));
