import { builder, needs } from '../../graphql/builder.ts';
import { follow, followIfAny } from '../../graphql/graph/edge.ts';
import { NodeType, defineNode } from '../../graphql/graph/node.ts';
import { agencyCode, docname, ownDocname } from '../../graphql/input/forms.ts';
import { isDocname } from '../../platform/database/docnames.ts';
import { agencyLoader } from '../catalogue/find.ts';
import { consentLoader, consentingLoader } from './find.ts';

builder.prismaObject('ConsentEvent', {
  description: "Record that a person's details were taken over from the identity authority, with agency and purpose.",
  interfaces: [NodeType],
  fields: (t) => ({
    id: t.exposeID('name', ownDocname('consent')),
    citizenId: t.exposeID('citizen', { description: 'The docname of the citizen.', ...docname('citizen') }),
    citizen: t.field({
      type: 'Citizen',
      description: 'The citizen. Scope `citizens.read`.',
      ...needs('citizens.read'),
      resolve: ({ citizen }, _args, call, info) => follow(call, info, consentingLoader, citizen),
    }),
    agencyId: t.exposeID('mda', {
      nullable: true,
      description: 'The code of the agency to which the person gave consent; null if none was named.',
      ...agencyCode,
    }),
    agency: t.field({
      type: 'Agency',
      nullable: true,
      description: 'The agency to which the person gave consent; null if none was named.',
      resolve: ({ mda }, _args, call, info) => followIfAny(call, info, agencyLoader, mda),
    }),
    purpose: t.exposeString('purpose', { description: 'Purpose for which the details were taken over.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which consent was given.' }),
  }),
});

defineNode({
  typename: 'ConsentEvent',
  needs: ['citizens.read'],
  matches: (id) => isDocname('consent', id),
  loader: consentLoader,
});
